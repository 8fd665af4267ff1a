/** Removed fields that other code still uses, across languages, and fields that may still come from elsewhere. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';
import { spellingsOf } from './field-names.ts';
import { graphqlFields, schemaFields } from './read-fields.ts';

const GO =
  'package api\n\ntype Order struct {\n\tCustomer string `json:"customer"`\n\tTotalCents int `json:"total_cents"`\n\tPaidUntil string `json:"paid_until"`\n}\n';
const GO_AFTER = GO.replace(/\tTotalCents.*\n/, '');
const PROTO =
  'syntax = "proto3";\nmessage Order {\n  string customer = 1;\n  int64 total_cents = 2;\n  string paid_until = 3;\n}\n';
const PROTO_AFTER = PROTO.replace(/.*total_cents.*\n/, '');
const PYTHON = 'class Order(BaseModel):\n    customer: str\n    total_cents: int\n    paid_until: str\n';
const PYTHON_AFTER = PYTHON.replace(/.*total_cents.*\n/, '');
const PAGE = 'export const show = (order) => order.customer + order.total_cents + order.paid_until;\n';

type Files = Record<string, string>;
const removed = (path: string, before: string, after: string | null, others: Files, changed: Files = {}) =>
  findingsOf({ [path]: before, ...others }, { [path]: after as string, ...changed }, 'removed_field');

describe('removed_field', () => {
  it.each<[string, string, string, string | null, Files]>([
    ['JSON of Go in JavaScript', 'api/order.go', GO, GO_AFTER, { 'web/page.js': PAGE }],
    [
      'JSON of Go in a Vue component',
      'api/order.go',
      GO,
      GO_AFTER,
      {
        'web/Page.vue':
          '<template><p>{{ order.customer }} {{ order.paid_until }} {{ order.total_cents }}</p></template>\n',
      },
    ],
    [
      'JSON of Go in a hand-written type',
      'api/order.go',
      GO,
      GO_AFTER,
      {
        'web/types.ts':
          'export interface OrderView {\n  customer: string;\n  paid_until: string;\n  total_cents: number;\n}\n',
      },
    ],
    ['a deleted file', 'api/order.go', GO, null, { 'web/page.js': PAGE }],
    [
      'a message in Go',
      'api/order.proto',
      PROTO,
      PROTO_AFTER,
      { 'shop/show.go': 'package shop\n\nfunc show(o *pb.Order) int64 { return o.GetTotalCents() }\n' },
    ],
    [
      'a message that Go writes',
      'api/order.proto',
      PROTO,
      PROTO_AFTER,
      { 'shop/make.go': 'package shop\n\nfunc add() *pb.Order { return &pb.Order{TotalCents: 1} }\n' },
    ],
    [
      'a message in TypeScript',
      'api/order.proto',
      PROTO,
      PROTO_AFTER,
      {
        'web/page.ts':
          "import { Order } from './order_pb';\nexport const total = (order: Order) => order.totalCents;\n",
      },
    ],
    [
      'a model in Python',
      'shop/models.py',
      PYTHON,
      PYTHON_AFTER,
      {
        'shop/mail.py':
          'def mail(order):\n    return order.customer + order.paid_until + order.total_cents\n',
      },
    ],
    [
      'a model in a template',
      'shop/models.py',
      PYTHON,
      PYTHON_AFTER,
      { 'shop/templates/order.html': '<p>{{ order.total_cents }}</p>\n' },
    ],
  ])('finds %s', async (_, path, before, after, others) => {
    const found = await removed(path, before, after, others);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^removed_field \S+:\d Order\.(total_cents|paid_until) was removed but is still used$/,
    );
    expect(await removed(path, before, before.replace('customer', 'client'), others)).toEqual([]);
  });

  it.each<[string, Files]>([
    ['another type declares it', { 'api/invoice.go': GO.replace('Order', 'Invoice') }],
    ['another spelling of it is declared', { 'web/types.ts': 'export class Cart {\n  totalCents = 0;\n}\n' }],
    [
      'a contract describes it',
      {
        'openapi.yaml':
          'components:\n  schemas:\n    Order:\n      properties:\n        total_cents:\n          type: integer\n',
      },
    ],
    ['a table has it', { 'schema.sql': 'create table orders (\n  total_cents int\n);\n' }],
    ['code makes it', { 'server/list.py': 'def one():\n    return {"total_cents": 1}\n' }],
    ['a script makes it', { 'web/make.js': 'export const order = { total_cents: 1 };\n' }],
    ['a method has its name', { 'shop/order.rb': 'class Order\n  def total_cents\n  end\nend\n' }],
  ])('says nothing when %s', async (_, others) => {
    expect(await removed('api/order.go', GO, GO_AFTER, { 'web/page.js': PAGE, ...others })).toEqual([]);
  });

  it('says nothing about common names, files without a word about the type, tests, documents, and lines that came with the change', async () => {
    const common = GO.replace('total_cents', 'created_at');
    expect(
      await removed('api/order.go', common, common.replace(/\tTotalCents.*\n/, ''), {
        'web/page.js': PAGE.replace('total_cents', 'created_at'),
      }),
    ).toEqual([]);
    const others = {
      'web/other.js': 'export const show = (cart) => cart.total_cents;\n',
      'web/page.test.js': PAGE,
      'docs/page.js': PAGE,
      'README.md': 'order.total_cents\n',
    };
    expect(await removed('api/order.go', GO, GO_AFTER, others)).toEqual([]);
    expect(await removed('api/order.go', GO, GO_AFTER, {}, { 'web/page.js': PAGE })).toEqual([]);
    // A field of the program alone, and one that only got another name in Go.
    const own = GO.replace(' `json:"total_cents"`', '');
    expect(await removed('api/order.go', own, GO_AFTER, { 'web/page.js': PAGE })).toEqual([]);
    expect(
      await removed('api/order.go', GO, GO.replace('TotalCents', 'Total'), { 'web/page.js': PAGE }),
    ).toEqual([]);
  });
});

it('spells a field as each language does', () => {
  expect(spellingsOf('user_url')).toEqual(
    expect.arrayContaining(['user_url', 'userUrl', 'UserURL', 'UserUrl', 'GetUserUrl']),
  );
  expect(spellingsOf('HTTPServer')).toContain('http_server');
});

it('reads the fields of GraphQL and OpenAPI', () => {
  expect(
    graphqlFields('type Order {\n  totalCents(in: String): Int!\n}\ntype Query {\n  order: Order\n}\n'),
  ).toEqual([{ name: 'totalCents', owner: 'Order', line: 2 }]);
  const yaml =
    'schemas:\n  Order:\n    type: object\n    properties:\n      total_cents:\n        type: integer\n        properties:\n          inner: {}\n      paid: {}\n  Cart:\n    type: object\n';
  expect(schemaFields(yaml).map(({ name, owner }) => `${owner}.${name}`)).toEqual([
    'Order.total_cents',
    'total_cents.inner',
    'Order.paid',
  ]);
  expect(
    schemaFields('{\n  "Order": {\n    "properties": {\n      "total_cents": {}\n    }\n  }\n}\n'),
  ).toEqual([{ name: 'total_cents', owner: 'Order', line: 4 }]);
});
