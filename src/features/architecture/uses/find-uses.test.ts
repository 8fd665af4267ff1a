/** Who uses what: over HTTP, as an MCP client sees it, and between two repositories. */
import { describe, expect, it } from 'vitest';
import { writeFacts } from '../../../../test/helpers/rows/architecture.ts';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { postPlan } from '../../../../test/helpers/rows/plans.ts';
import { makeRepositoryRow } from '../../../../test/helpers/rows/repository-rows.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { connect, GENERATIONS } from '../../../../test/mcp/clients.ts';
import { callTool, failTool } from '../../../../test/mcp/tool-calls.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, globex } = service;

async function repository(name: string, lines: string[], options: { members?: Person[] } = {}) {
  const organizationId = name.startsWith('acme/') ? acme.id : globex.id;
  const made = await makeRepositoryRow(service, organizationId, { name, ...options });
  await writeFacts(service, { id: made.id, organizationId }, lines);
  return made;
}

const users = await repository('acme/users', [
  'provides package npm:@acme/users package.json:2',
  'provides route GET /users/{} src/routes.ts:3',
  'provides route ANY /users/{}/files src/routes.ts:9',
  'provides route GET /teams/{} src/routes.ts:10',
  'provides route ANY /teams/{} src/routes.ts:11',
  'provides route GET /health src/routes.ts:1',
  'provides route GET /{} src/routes.ts:2',
  'provides table users schema.sql:1',
  'uses table users src/store.ts:5',
  'uses route GET /users/{} test/routes.test.ts:7',
]);
const web = await repository('acme/web', [
  'uses package npm:@acme/users package.json:9',
  'uses package npm:react package.json:8',
  'uses route GET /users/{} src/api.ts:4',
  'uses route POST /users/{} src/api.ts:5',
  'uses route PUT /users/{}/files src/api.ts:6',
  'uses route GET /health src/api.ts:7',
  'uses route GET /{} src/api.ts:8',
  'uses route GET /teams/{} src/api.ts:9',
  'provides environment PORT compose.yaml:1',
]);
await repository('acme/reports', [
  'uses table users report.sql:2',
  'provides table reports report.sql:1',
  'uses environment PORT src/main.ts:1',
]);
const secret = await repository(
  'acme/secret',
  ['uses table users board.sql:1', 'provides package npm:react package.json:1'],
  { members: [acme.viewer] },
);
for (const name of ['a', 'b', 'c']) await repository(`acme/${name}`, ['provides route GET /health h.ts:1']);
await repository('globex/users', ['provides table users schema.sql:1', 'uses table users x.sql:1']);

type Listed = { repoName: string; places: { name: string; path: string; line: number }[] }[];
const show = (list: Listed) =>
  list.flatMap(({ places, repoName }) => places.map(({ line, path }) => `${repoName} ${path}:${line}`));

async function uses(name: string, kind?: string, person: Person = acme.member) {
  const query = new URLSearchParams({ name, ...(kind && { kind }) });
  const { body, status } = await service.request('GET', `/api/v2/architecture/uses?${query}`, {
    as: withSession(person),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { inside, outside, providers } = body;
  return { providers: show(providers), outside: show(outside), inside: show(inside) };
}

describe('who uses', () => {
  it.each(['GET /users/:id', 'get /users/{userId}/', 'https://api.acme.example/users/<int:id>'])(
    'a route: %s',
    async (name) => {
      const found = await uses(name);
      expect(found).toMatchObject({
        providers: ['acme/users src/routes.ts:3'],
        inside: ['acme/users test/routes.test.ts:7'],
      });
      expect(found.outside).toContain('acme/web src/api.ts:4');
      expect(found.outside.includes('acme/web src/api.ts:5')).toBe(!/^get/i.test(name));
    },
  );

  it('a route that serves every method, by any of them', async () => {
    const expected = {
      providers: ['acme/users src/routes.ts:9'],
      outside: ['acme/web src/api.ts:6'],
      inside: [],
    };
    expect(await uses('PUT /users/:id/files', 'route')).toEqual(expected);
    expect(await uses('/users/:id/files', 'route')).toEqual(expected);
    expect((await uses('GET /users/:id/files', 'route')).outside).toEqual([]);
  });

  it('a table that many repositories have, of the one that is named', async () => {
    for (const name of ['k1', 'k2', 'k3', 'k4'])
      await repository(`acme/${name}`, [
        'provides table ledger schema.sql:1',
        'uses table ledger src/store.ts:5',
      ]);
    await repository('acme/k5', ['uses table ledger report.sql:1']);
    expect(await uses('ledger', 'table')).toMatchObject({ inside: [], outside: [] });
    expect((await uses('ledger', 'table')).providers).toHaveLength(4);
    expect(await uses('acme/k2#ledger', 'table')).toEqual({
      providers: ['acme/k2 schema.sql:1'],
      inside: ['acme/k2 src/store.ts:5'],
      outside: ['acme/k5 report.sql:1'],
    });
    expect(await uses('acme/k5#ledger', 'table')).toEqual({ providers: [], inside: [], outside: [] });
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const { text } = await callTool(client, 'who_uses', { name: 'ledger', kind: 'table' });
    expect(text).toMatch(/^Defined in 4 repositories\.\n4 repositories have a table .* `acme\/k1#ledger`/);
  });

  it('a route that nobody is known to serve, with and without a prefix, if only one repository uses it', async () => {
    await repository('acme/lonely', ['uses route GET /bootstrap src/api.ts:1']);
    expect((await uses('GET /api/bootstrap')).outside).toEqual(['acme/lonely src/api.ts:1']);
    await repository('acme/lonely2', ['uses route GET /bootstrap src/api.ts:1']);
    expect((await uses('GET /api/bootstrap')).outside).toEqual([]);
  });

  it('a route with and without a common prefix, but not one that another repository serves', async () => {
    await repository('acme/orders', [
      'provides route GET /orders/{}/lines src/routes.ts:1',
      'provides route GET /tags src/routes.ts:2',
      'uses route GET /api/v1/orders/{}/lines web/api.ts:2',
      'uses route GET /api/tags web/api.ts:3',
    ]);
    await repository('acme/admin', [
      'uses route GET /api/orders/{}/lines src/api.ts:1',
      'uses route GET /api/tags src/api.ts:2',
    ]);
    await repository('acme/other-orders', [
      'provides route GET /rest/orders/{}/lines src/routes.ts:1',
      'uses route GET /rest/orders/{}/lines src/api.ts:1',
    ]);
    expect(await uses('GET /orders/:id/lines')).toEqual({
      providers: ['acme/orders src/routes.ts:1'],
      inside: ['acme/orders web/api.ts:2'],
      outside: ['acme/admin src/api.ts:1'],
    });
    for (const name of ['GET /api/v2/orders/:id/lines', '/v3/orders/:id/lines']) {
      const { providers } = await uses(name);
      expect(providers, name).toEqual(['acme/orders src/routes.ts:1', 'acme/other-orders src/routes.ts:1']);
    }
    // One word says too little about other repositories.
    const tags = await uses('GET /tags');
    expect(tags).toEqual({
      providers: ['acme/orders src/routes.ts:2'],
      inside: ['acme/orders web/api.ts:3'],
      outside: [],
    });
    expect(await uses('GET /v1/tags')).toEqual({ ...tags, outside: [] });
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const { text } = await callTool(client, 'who_uses', { name: 'GET /orders/:id/lines' });
    expect(text).toContain('with and without a common prefix such as `/api/v1`');
    expect(text).not.toContain('more');
  });

  it('a route whose prefix another file adds, by the path that clients have', async () => {
    await repository('acme/reports-api', [
      'provides route GET /reports/{}/rows src/routes.ts:4',
      'uses route GET /admin/reports/{}/rows web/api.ts:1',
    ]);
    await repository('acme/reports-web', ['uses route GET /admin/reports/{}/rows src/api.ts:1']);
    expect(await uses('GET /admin/reports/:id/rows')).toEqual({
      providers: ['acme/reports-api src/routes.ts:4'],
      inside: ['acme/reports-api web/api.ts:1'],
      outside: ['acme/reports-web src/api.ts:1'],
    });
  });

  it('a package, with and without its ecosystem', async () => {
    const expected = {
      providers: ['acme/users package.json:2'],
      outside: ['acme/web package.json:9'],
      inside: [],
    };
    expect(await uses('npm:@acme/users', 'package')).toEqual(expected);
    expect(await uses('@acme/users')).toEqual(expected);
    expect(await uses('pypi:@acme/users')).toMatchObject({ providers: [], outside: [] });
  });

  it('a table, only in repositories that the caller sees', async () => {
    const found = await uses('public."Users"', 'table');
    expect(found).toEqual({
      providers: ['acme/users schema.sql:1'],
      outside: ['acme/reports report.sql:2'],
      inside: ['acme/users src/store.ts:5'],
    });
    for (const person of [acme.viewer, acme.admin]) {
      expect((await uses('users', 'table', person)).outside).toEqual([
        'acme/reports report.sql:2',
        'acme/secret board.sql:1',
      ]);
    }
    expect(await uses('users', 'table', globex.owner)).toEqual({
      providers: ['globex/users schema.sql:1'],
      outside: [],
      inside: ['globex/users x.sql:1'],
    });
  });

  it('refuses what can be no name of the kind', async () => {
    for (const [kind, name] of [
      ['route', '/:id'],
      ['table', '1'],
    ]) {
      const query = new URLSearchParams({ kind: kind!, name: name! });
      const { body, status } = await service.request('GET', `/api/v2/architecture/uses?${query}`, {
        as: withSession(acme.member),
      });
      expect([status, body.errors[0].path]).toEqual([400, 'name']);
    }
  });

  it('lists at most 20 places of a repository and 100 repositories', async () => {
    const lines = Array.from({ length: 25 }, (_, line) => `uses event many src/e.ts:${line + 1}`);
    await repository('acme/many', lines);
    for (let n = 0; n < 100; n += 1) await repository(`acme/one${n}`, ['uses event many e.ts:1']);
    const { body } = await service.request('GET', '/api/v2/architecture/uses?kind=event&name=many', {
      as: withSession(acme.member),
    });
    expect(body.outside).toHaveLength(100);
    expect(body.isComplete).toBe(false);
    expect(body.outside[0]).toMatchObject({ repoName: 'acme/many', morePlaces: 5 });
    expect(body.outside[0].places).toHaveLength(20);
  });
});

describe('neighbours', () => {
  async function neighbours(id: string, person: Person = acme.member) {
    const { body, status } = await service.request('GET', `/api/v2/repositories/${id}/neighbours`, {
      as: withSession(person),
    });
    if (status !== 200) return status;
    const names = (list: Listed) =>
      list.map(({ places, repoName }) => [repoName, ...places.map(({ line, path }) => `${path}:${line}`)]);
    return { dependencies: names(body.dependencies), consumers: names(body.consumers) };
  }

  it('are shown in both directions, without common names and parameters alone', async () => {
    expect(await neighbours(users.id)).toEqual({
      dependencies: [],
      consumers: [
        ['acme/web', 'package.json:9', 'src/api.ts:9', 'src/api.ts:6', 'src/api.ts:4'],
        ['acme/reports', 'report.sql:2'],
      ],
    });
    expect(await neighbours(web.id)).toEqual({
      dependencies: [['acme/users', 'package.json:9', 'src/api.ts:9', 'src/api.ts:4', 'src/api.ts:6']],
      consumers: [],
    });
  });

  it('for a plan are those that use what its files provide, or all if it names none', async () => {
    const consumersFor = async (content: string) => {
      const plan = await postPlan(service, acme.member, { content });
      expect(plan.status).toBe(201);
      const query = new URLSearchParams({ repository: 'acme/users', planSeriesId: plan.body.seriesId });
      const { body } = await service.request('GET', `/api/v2/architecture/repository?${query}`, {
        as: withSession(acme.member),
      });
      return show(body.neighbours.consumers);
    };
    expect(await consumersFor('# Plan\n\nAdd a column in `schema.sql`.')).toEqual([
      'acme/reports report.sql:2',
    ]);
    expect(await consumersFor('# Plan\n\nChange `src/store.ts` alone.')).toEqual([]);
    for (const all of ['Make it faster.', 'Add `src/new.ts`.'])
      expect(await consumersFor(`# Plan\n\n${all}`)).toHaveLength(5);
  });

  it('are only repositories that the caller sees', async () => {
    expect(await neighbours(users.id, acme.viewer)).toMatchObject({
      consumers: [
        expect.arrayContaining(['acme/web']),
        ['acme/reports', 'report.sql:2'],
        ['acme/secret', 'board.sql:1'],
      ],
    });
    expect(await neighbours(web.id, acme.viewer)).toMatchObject({
      dependencies: expect.arrayContaining([['acme/secret', 'package.json:8']]),
    });
    expect(await neighbours(secret.id)).toBe(404);
    expect(await neighbours(users.id, globex.owner)).toBe(404);
  });

  it('have at most 5 places', async () => {
    const topics = Array.from({ length: 8 }, (_, n) => `topic${n}`);
    const one = await repository(
      'acme/publisher',
      topics.map((topic) => `provides event ${topic} p.ts:1`),
    );
    const two = await repository(
      'acme/listener',
      topics.map((topic) => `uses event ${topic} l.ts:1`),
    );
    const read = async (id: string) =>
      (
        await service.request('GET', `/api/v2/repositories/${id}/neighbours`, {
          as: withSession(acme.member),
        })
      ).body;
    const { consumers } = await read(one.id);
    expect(consumers[0].commit).toBe('ab'.repeat(20));
    const { dependencies } = await read(two.id);
    for (const [first] of [consumers, dependencies]) {
      expect(first.morePlaces).toBe(3);
      expect(first.places).toHaveLength(5);
    }
  });
});

it('is not for API keys', async () => {
  const { status } = await service.request('GET', '/api/v2/architecture/uses?name=users', {
    as: withKey(acme.member),
  });
  expect(status).toBe(403);
});

describe('who_uses', () => {
  it('shows providers and consumers with places', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key }, GENERATIONS[0]);
    const { text } = await callTool(client, 'who_uses', { name: 'GET /users/:id' });
    expect(text).toContain('Provided by 1 repository, used by 1 repository that does not provide it.');
    expect(text).toContain(
      [
        'Providers:',
        'acme/users src/routes.ts:3 · route GET /users/{}',
        '',
        'Consumers:',
        'acme/web src/api.ts:4 · route GET /users/{}',
        '',
        'Uses inside the providers:',
        'acme/users test/routes.test.ts:7 · route GET /users/{}',
      ].join('\n'),
    );
    expect((await callTool(client, 'who_uses', { kind: 'table', name: 'users' })).text).not.toContain(
      'secret',
    );
    expect((await callTool(client, 'who_uses', { name: 'qzqz' })).text).toMatch(/^Nothing that you can see/);
    expect(await failTool(client, 'who_uses', { kind: 'route', name: '/:id' })).toContain('segment');
  });

  it('keeps within its budget, and refuses a cursor of other results', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key }, GENERATIONS[0]);
    const given = { kind: 'event', name: 'many', maxTokens: 500 };
    const found: string[] = [];
    let cursor: string | undefined;
    let first: string | undefined;
    for (let page = 0; page < 40; page += 1) {
      const { text } = await callTool(client, 'who_uses', { ...given, cursor });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1500);
      found.push(...[...text.matchAll(/^acme\/\w+ \S+:\d+/gm)].map(([place]) => place));
      cursor = /^nextCursor: (.*)$/m.exec(text)?.[1];
      first ??= cursor;
      if (!cursor) break;
    }
    expect(found).toHaveLength(119);
    expect(new Set(found).size).toBe(119);
    await repository('acme/another', ['uses event many e.ts:1']);
    expect(await failTool(client, 'who_uses', { ...given, cursor: first })).toContain(
      'results that have changed',
    );
  });
});

describe('a name that no fact knows', async () => {
  const code = {
    'src/price.ts': 'export function formatPrice(n: number) {\n  return n + 1;\n}\n',
    'src/cart.ts': "import { formatPrice } from './price.ts';\n\nexport const total = formatPrice(3);\n",
    'src/table.ts': "export const refund = { verb: 'POST', at: '/orders/:orderId/refund' };\n",
    'docs/api.md': 'Call `/orders/{id}/refund` to refund, never `/orders/{id}/refunds`.\n',
    'src/odd.ts': "dispatch('shop.cart-emptied');\n",
    // Another language has other things of the same name.
    'tools/report.py': 'formatPrice(3)\n',
    'lib/cart.rb': 'class Cart\n  def cart_open?\n    true\n  end\nend\nCart.new.cart_open?\n',
    'src/client.ts': 'await post(`$'.concat('{url}carts/$', '{id}/empty`);\n'),
  };
  const shop = await addRepository(service, code, { fullName: 'acme/shop' });
  const hidden = await addRepository(service, code, { fullName: 'acme/hidden-shop' });
  await service.request('PATCH', `/api/v2/repositories/${hidden.id}`, {
    as: withSession(acme.admin),
    body: { visibility: 'members', memberIds: [] },
  });
  const ask = async (name: string, kind?: string) => {
    const query = new URLSearchParams({ name, ...(kind && { kind }) });
    const { body } = await service.request('GET', `/api/v2/architecture/uses?${query}`, {
      as: withSession(acme.member),
    });
    return body;
  };
  const texts = ({
    textMatches,
  }: {
    textMatches: { repoName: string; lines: { path: string; line: number }[] }[];
  }) =>
    textMatches.flatMap(({ lines, repoName }) =>
      lines.map(({ line, path }) => `${repoName} ${path}:${line}`),
    );

  it.each(['formatPrice', 'npm:@acme/shop#formatPrice', 'formatPrice()'])(
    'is looked up in the syntax of the code, uses inside its own repository included: %s',
    async (name) => {
      const found = await ask(name, name.includes('#') ? 'symbol' : undefined);
      expect(show(found.providers)).toEqual(['acme/shop src/price.ts:1']);
      expect(show(found.inside)).toEqual(['acme/shop src/cart.ts:1', 'acme/shop src/cart.ts:3']);
      expect(found.inside[0].places[0]).toMatchObject({
        kind: 'symbol',
        evidence: 'symbol',
        detail: 'reference',
      });
      expect(found.outside).toEqual([]);
      expect(found.textMatches).toEqual([]);
      expect(found.notSeen.join(' ')).toContain('another symbol with the same name counts too');
    },
  );

  it.each([
    'src/price.ts:formatPrice',
    'github.com/acme/shop/price.formatPrice',
    'formatPrice(n: number, by = f(1))',
    'export async function formatPrice',
    'func (p *Price) formatPrice(n int)',
    'com.acme.Price#formatPrice(Long)',
  ])('is understood as it is written: %s', async (name) => {
    expect(show((await ask(name)).inside)).toEqual(['acme/shop src/cart.ts:1', 'acme/shop src/cart.ts:3']);
  });

  it('is a method of Ruby without its last sign', async () => {
    expect(show((await ask('lib/cart.rb:cart_open')).inside)).toEqual(['acme/shop lib/cart.rb:6']);
  });

  it.each(['acme/price.ts', 'github.com/acme/formatPrice', 'gopkg.in/formatPrice.v3', 'a/b:formatPrice'])(
    'is none in a path, a package or an image: %s',
    async (name) => {
      expect(await ask(name)).toMatchObject({ providers: [], inside: [], outside: [] });
    },
  );

  it('of a package has the uses of its repository and of those that use the package, whatever facts know', async () => {
    await writeFacts(service, { id: shop.id, organizationId: acme.id }, [
      'provides package npm:@acme/prices package.json:1',
      'provides symbol npm:@acme/prices#formatPrice src/price.ts:1',
      'uses symbol npm:@acme/prices#formatPrice src/cart.ts:1',
    ]);
    const client = { 'src/app.ts': "import * as prices from '@acme/prices';\nprices.formatPrice(1);\n" };
    const consumer = await addRepository(service, client, { fullName: 'acme/consumer' });
    await writeFacts(service, { id: consumer.id, organizationId: acme.id }, [
      'uses package npm:@acme/prices package.json:4',
    ]);
    const other = { 'src/own.ts': 'export const formatPrice = String;\nformatPrice(2);\n' };
    await addRepository(service, other, { fullName: 'acme/unrelated' });
    for (const kind of [undefined, 'symbol']) {
      const found = await ask('npm:@acme/prices#formatPrice', kind);
      expect(show(found.providers)).toEqual(['acme/shop src/price.ts:1']);
      expect(show(found.inside)).toEqual(['acme/shop src/cart.ts:1', 'acme/shop src/cart.ts:3']);
      expect(show(found.outside)).toEqual(['acme/consumer src/app.ts:2']);
    }
  });

  it('is told apart by its file, repository or class, and by what depends on it', async () => {
    const ambiguous = await ask('formatPrice');
    expect(ambiguous).toMatchObject({ isAmbiguous: true, inside: [], outside: [], textMatches: [] });
    expect(show(ambiguous.providers)).toEqual(['acme/shop src/price.ts:1', 'acme/unrelated src/own.ts:1']);
    expect(ambiguous.notSeen[0]).toContain('`acme/shop#formatPrice`');
    const ofShop = ['acme/shop src/cart.ts:1', 'acme/shop src/cart.ts:3'];
    for (const name of ['src/price.ts:formatPrice', 'price.ts:formatPrice', 'acme/shop#formatPrice']) {
      const found = await ask(name);
      expect(show(found.providers), name).toEqual(['acme/shop src/price.ts:1']);
      expect(show(found.inside), name).toEqual(ofShop);
      // It declares that it uses the package.
      expect(show(found.outside), name).toEqual(['acme/consumer src/app.ts:2']);
      expect(found.notSeen[0], name).toContain('acme/unrelated defines the same name');
      expect(found.isAmbiguous).toBeUndefined();
    }
    expect(show((await ask('acme/unrelated/src/own.ts:formatPrice')).inside)).toEqual([
      'acme/unrelated src/own.ts:2',
    ]);
    await addRepository(service, { 'a.ts': 'formatPrice(1);\n' }, { fullName: 'acme/stranger' });
    const alone = await ask('src/price.ts:formatPrice');
    expect(show(alone.outside)).toEqual(['acme/consumer src/app.ts:2']);
    expect(alone.notSeen[1]).toMatch(/^Not listed: .*: acme\/stranger\.$/);
  });

  it('is only a route with a method, even if a table has the name of the method', async () => {
    await repository('acme/blog', ['provides table post schema.sql:1', 'uses table post blog.py:2']);
    const found = await ask('POST /no-such/path');
    expect(found).toMatchObject({ providers: [], inside: [], outside: [] });
  });

  it('is looked up as text: a route in any spelling of its parameters, and an event', async () => {
    for (const name of ['POST /orders/:id/refund', '/orders/{}/refund']) {
      const found = await ask(name, 'route');
      expect(found).toMatchObject({ providers: [], outside: [], inside: [] });
      expect(texts(found).sort()).toEqual(['acme/shop docs/api.md:1', 'acme/shop src/table.ts:1']);
    }
    expect(texts(await ask('shop.cart-emptied', 'event'))).toEqual(['acme/shop src/odd.ts:1']);
    const nothing = await ask('no_such_thing_anywhere');
    expect(texts(nothing)).toEqual([]);
    expect(nothing.notSeen[0]).toMatch(/^Not seen: computed names, reflection/);
  });

  it('is looked up without a prefix that a router or a client adds, and the answer says so', async () => {
    for (const name of ['POST /carts/:id/empty', '/api/carts/{}/empty', 'POST /api/v1/carts/:id/empty'])
      expect(texts(await ask(name)), name).toEqual(['acme/shop src/client.ts:1']);
    const known = await ask('PUT /gateway/users/:id/files', 'route');
    expect(show(known.providers)).toEqual(['acme/users src/routes.ts:9']);
    expect(show(known.outside)).toEqual(['acme/web src/api.ts:6']);
    expect(known.notSeen[0]).toContain('This is about `PUT /users/{}/files`');
    // A single segment says too little, and so does a path that begins with a parameter.
    for (const name of ['GET /gateway/health', '/gateway/v1/:id/empty', '/api/carts/{}/emptied'])
      expect(await ask(name, 'route'), name).toMatchObject({ providers: [], outside: [], textMatches: [] });
    expect((await ask('PUT /users/:id/files', 'route')).notSeen[0]).toMatch(/^Not seen/);
  });

  it('is told to a model with what the answer rests on', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key });
    const several = await callTool(client, 'who_uses', { name: 'formatPrice' });
    expect(several.text).toMatch(
      /^Defined in 2 repositories\.\n2 repositories define this name, and nothing says which/,
    );
    const symbol = await callTool(client, 'who_uses', { name: 'src/price.ts:formatPrice' });
    expect(symbol.text).toContain('Uses inside 1 repository that provide it.');
    expect(symbol.text).toContain('acme/shop src/cart.ts:3 · symbol formatPrice reference');
    expect(symbol.text).not.toContain('hidden-shop');
    const route = await callTool(client, 'who_uses', { name: '/orders/:id/refund' });
    expect(route.text).toMatch(/^No definition or use is known, but the text occurs in 1 repository/);
    expect(route.text).toContain('Lines with this text:\nacme/shop src/table.ts:1 · export const refund');
    const none = await callTool(client, 'who_uses', { name: 'no_such_thing_anywhere' });
    expect(none.text).toMatch(
      /^Nothing that you can see provides, uses or mentions this name\..*\nNot seen: /,
    );
  });
});
