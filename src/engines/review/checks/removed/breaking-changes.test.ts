/** Breaks by changed signatures and contracts, and changes that break nothing, on real repositories. */
import { describe, expect, it } from 'vitest';
import { describeReview, findingsOf, reviewChange } from '../../../../../test/helpers/git/review-change.ts';
import { countArguments } from '../../code/count-arguments.ts';

it('counts the arguments of calls, and says when it cannot', () => {
  const cases: [string, string, number | undefined][] = [
    ['typescript', ') + 1', 0],
    ['typescript', 'a, [b, c], { d, e }, f(g, h),\n) // x', 4],
    ['typescript', "'a, b)', `c, )`, /* d, */ e)", 3],
    ['typescript', '(a, b) => a, c)', 2],
    ['typescript', '...all)', undefined],
    ['typescript', 'a as Map<string, number>)', undefined],
    ['typescript', 'a, b', undefined],
    ['typescript', 'a]', undefined],
    ['python', 'a, key="x, y", # b,\n  c)', 3],
    ['python', '"""a, )""", b)', 2],
    ['python', '*all)', undefined],
    ['python', 'lambda a, b: a)', undefined],
    ['go', 'a, func(b, c int) {})', 2],
    ['go', 'both())', undefined],
    ['go', 'all...)', undefined],
  ];
  expect(cases.map(([language, text]) => countArguments(text, language))).toEqual(
    cases.map(([, , count]) => count),
  );
});

describe('changed_signature', () => {
  const before = {
    'src/mail.ts':
      'export function send(to: string, text?: string) {}\nexport const pack = (a: string, b: string) => a;\n',
    'src/signup.ts': "import { send as mail } from './mail.ts';\nmail(\n  'a',\n);\n",
    'src/invite.ts': "import { pack } from './mail.ts';\npack('a', 'b');\n",
    'app/rates.py': 'def convert(amount, rate=1):\n    return amount\n\n\ndef load(path):\n    pass\n',
    'app/shop.py': 'from app.rates import convert\n\nconvert(1)\n',
    'pkg/store/store.go': 'package store\n\nfunc Open(path string) {}\n\nfunc Close() {}\n',
    'main.go': 'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() {\n\tstore.Open("a")\n}\n',
  };

  it('finds calls that fit only the old parameters', async () => {
    const after = {
      'src/mail.ts':
        'export function send(to: string, from: string, text?: string) {}\nexport const pack = (a: string) => a;\n',
      'app/rates.py': 'def convert(amount, rate):\n    return amount\n\n\ndef load(path):\n    pass\n',
      'pkg/store/store.go': 'package store\n\nfunc Open(path string, mode int) {}\n\nfunc Close() {}\n',
    };
    expect(await findingsOf(before, after, 'changed_signature')).toEqual([
      'changed_signature app/rates.py:1 convert is still called with its old parameters',
      'changed_signature pkg/store/store.go:3 Open is still called with its old parameters',
      'changed_signature src/mail.ts:1 send is still called with its old parameters',
      'changed_signature src/mail.ts:2 pack is still called with its old parameters',
    ]);
  });

  it('finds calls through a namespace, not those of other objects', async () => {
    const money = (parameters: string) => `export function round(${parameters}) {}\n`;
    const files = {
      'src/money.ts': money('value: number'),
      'src/till.ts': "import * as money from './money.ts';\nmoney.round(1);\n",
      'src/other.ts': "import * as money from './euro.ts';\nmoney.round(1);\n",
      'src/euro.ts': money('value: number'),
    };
    const found = await reviewChange(files, { 'src/money.ts': money('value: number, places: number') });
    expect(describeReview(found)).toEqual([
      'changed_signature src/money.ts:1 round is still called with its old parameters',
    ]);
    expect(found.candidates[0]!.evidence.map(({ path }) => path)).toEqual(['src/till.ts']);
  });

  it('leaves alone optional parameters, fixed calls, other functions, overloads, decorators and unclear calls', async () => {
    const after = {
      // Optional now, with a call that fits both.
      'src/mail.ts':
        'export function send(to: string, text?: string, from?: string) {}\nexport function pack(a: string): string;\nexport function pack(a: string, b?: string) { return a; }\n',
      'app/rates.py':
        '@cached\ndef convert(amount, rate):\n    return amount\n\n\ndef load(path, mode):\n    pass\n',
      'app/draw.py':
        'def draw(engine, code):\n    if engine == "ink":\n        from app.ink import draw\n\n        return draw(code)\n    return 0\n',
      'app/other.py': 'from app.files import load\n\nload("x")\nself.load("y")\n',
      'pkg/store/store.go':
        'package store\n\nfunc Open(path string, mode int) {}\n\nfunc Close(now bool) {}\n',
      'pkg/store/use.go': 'package store\n\nfunc all() {\n\tClose(both())\n\tx.Close()\n}\n',
      'main.go':
        'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() {\n\tstore.Open("a", 1)\n}\n',
    };
    const drawn = {
      'app/draw.py':
        'def draw(code):\n    if code:\n        from app.ink import draw\n\n        return draw(code)\n    return 0\n',
    };
    expect(await findingsOf({ ...before, ...drawn }, after, 'changed_signature')).toEqual([]);
  });
});

describe('removed_member', () => {
  const api = (rest: string) =>
    `openapi: 3.0.0\npaths:\n  /a:\n    get:\n      schema:\n        $ref: '#/components/schemas/User'\ncomponents:\n  schemas:\n${rest}`;
  const before = {
    'api/shop.proto':
      'syntax = "proto3";\npackage shop;\n\nenum Status {\n  UNKNOWN = 0;\n  SHIPPED = 1;\n}\n\nmessage Item {\n  string id = 1;\n}\n\nservice Orders {\n  rpc Cancel(Item) returns (Item);\n  rpc Find(Item) returns (Item);\n}\n',
    'api/cart.proto': 'syntax = "proto3";\npackage shop;\n\nmessage Cart {\n  repeated Item items = 1;\n}\n',
    'main.go':
      'package main\n\nimport (\n\t"google.golang.org/grpc"\n\tpb "example.com/shop/gen"\n)\n\nfunc main() {\n\tclient := pb.NewOrdersClient(conn)\n\tclient.Cancel(ctx, nil)\n\tuse(pb.Status_SHIPPED)\n}\n',
    'schema.graphql':
      'type Query {\n  user(id: ID!): User\n  team: Team\n}\n\ntype User {\n  role: Role\n}\n\ntype Team {\n  name: String\n}\n\nenum Role {\n  ADMIN\n  GUEST\n}\n',
    'web/user.graphql': 'query One {\n  user(id: 1) {\n    role\n  }\n}\n',
    'src/color.ts': 'export enum Color {\n  Red,\n  Green,\n}\n',
    'src/paint.ts': "import { Color } from './color.ts';\npaint(Color.Green); // Color.Red\n",
    'openapi.yaml': api('    User:\n      type: object\n    Team:\n      type: object\n'),
  };

  it('finds values of enums, types, calls, fields and schemas that are gone and still used', async () => {
    const after = {
      'api/shop.proto':
        'syntax = "proto3";\npackage shop;\n\nenum Status {\n  UNKNOWN = 0;\n}\n\nservice Orders {\n  rpc Find(Id) returns (Id);\n}\n',
      'schema.graphql':
        'type Query {\n  team: Team\n}\n\ntype User {\n  role: Role\n}\n\ntype Team {\n  name: String\n}\n',
      'src/color.ts': 'export enum Color {\n  Red,\n}\n',
      'openapi.yaml': api('    Team:\n      type: object\n'),
    };
    expect(await findingsOf(before, after, 'removed_member')).toEqual([
      'removed_member openapi.yaml:9 schemas/User was removed but is still referenced',
      'removed_member api/shop.proto:9 shop.Item was removed but is still used',
      'removed_member api/shop.proto:14 Orders/Cancel was removed but is still used',
      'removed_member api/shop.proto:6 Status.SHIPPED was removed but is still used',
      'removed_member schema.graphql:2 Query.user was removed but is still used',
      'removed_member schema.graphql:14 Role was removed but is still used',
      'removed_member src/color.ts:3 Color.Green was removed but is still used',
    ]);
  });

  it('leaves alone what moved, what is used no more, and other things with the same name', async () => {
    const after = {
      'api/shop.proto': 'syntax = "proto3";\npackage shop;\n\nmessage Id {\n  string id = 1;\n}\n',
      'api/item.proto':
        'syntax = "proto3";\npackage shop;\n\nenum Status {\n  UNKNOWN = 0;\n  SHIPPED = 1;\n}\n\nmessage Item {\n  string id = 1;\n}\n',
      'main.go': 'package main\n\nfunc main() {\n\tother.Cancel(ctx)\n\tuse(pb.Status_SHIPPED)\n}\n',
      'schema.graphql': 'type Query {\n  team: Team\n}\n\ntype Team {\n  name: String\n}\n',
      'users.graphql': 'extend type Query {\n  user(id: ID!): User\n}\n\ntype User {\n  id: ID\n}\n',
      'src/color.ts': 'export enum Color {\n  Red,\n}\n',
      'src/other.ts': 'enum Color { Green }\nuse(Color.Green);\n',
      'src/paint.ts': "import { Color } from './color.ts';\npaint(Color.Red, 'Color.Green');\n",
      'openapi.yaml': api('    User:\n      type: string\n'),
    };
    expect(await findingsOf(before, after, 'removed_member')).toEqual([]);
    const object = {
      'src/color.ts': "export const Color = {\n  Red: 'red',\n  Green: 'green',\n} as const;\n",
    };
    expect(await findingsOf(before, object, 'removed_member')).toEqual([]);
  });
});
