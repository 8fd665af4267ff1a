/** Sentences of summaries, and those that are not written: each case was wrong, useless or too long in the summary of a public repository. */
import { describe, expect, it } from 'vitest';
import type { FactKind, PlacedFact } from '../../../../platform/core/ports/code-facts.ts';
import { summaryRow } from '../summary-row.ts';
import type { CodeToDescribe } from './described-code.ts';
import { summarize } from './summarize.ts';

interface Given {
  facts?: PlacedFact[];
  paths?: string[];
  readme?: string;
  name?: string;
}

const fact = (kind: FactKind, name: string, path: string, more: Partial<PlacedFact> = {}): PlacedFact => ({
  ...{ kind, role: 'provides', name, path, line: 1 },
  ...more,
});
const uses = (kind: FactKind, name: string, path: string, detail?: string) =>
  fact(kind, name, path, { role: 'uses', ...(detail && { detail }) });

function summariesOf({ facts = [], name = 'acme/shop', paths = [], readme }: Given) {
  const given: Omit<CodeToDescribe, 'facts'> & { facts: object } = {
    name,
    facts: {
      commit: 'a'.repeat(40),
      files: paths.length,
      ...{ languages: [], folders: [], facts, words: [], leftOut: [] },
      activity: { folders: [], people: [] },
    },
    paths: paths.toSorted(),
    readme: readme === undefined ? null : { path: 'README.md', text: readme },
  };
  return summarize(given as CodeToDescribe);
}

/** The sentences of a domain, without what the repository is. */
const sentencesOf = (domain: string, given: Given) =>
  (summariesOf(given).find((summary) => summary.domain === domain)?.sentences ?? [])
    .map(({ text }) => text)
    .filter((text) => !text.startsWith('shop: '));
const leadOf = (readme: string) => summariesOf({ readme })[0]?.sentences[0]?.text;
const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the sentence on what a repository is', () => {
  it('ends before a list that it announces', () => {
    expect(leadOf('shop is a reliable shop for books, with a focus on being:\n\n* Simple\n')).toBe(
      'shop: shop is a reliable shop for books.',
    );
  });

  it('has no tags, also over several lines, and no sentence that tells the reader what to do', () => {
    const badge =
      '<a href="https://x.test">\n  <img\n    src="https://x.test/y"\n    alt="Follow us on this site"/>\n</a>';
    expect(
      leadOf(`${badge}\n\nA shop for used books and maps. Try it with our version at www.shop.test .\n`),
    ).toBe('shop: A shop for used books and maps.');
  });

  it('is the definition below a slogan', () => {
    expect(leadOf('The home of all your books.\n\nShop is a program that sells books.\n')).toBe(
      'shop: Shop is a program that sells books.',
    );
  });

  it('is neither front matter, nor links beside each other, nor a request', () => {
    const readme =
      '---\ntitle: Shop for all of you\nicon: what this shop sells\n---\n\nHelp us grow and star us on the site of the shop.\n\nWebsite | Blog of the shop | Documentation | Discord\n\nA shop that sells used books.\n';
    expect(leadOf(readme)).toBe('shop: A shop that sells used books.');
  });

  it('is not what other documents say', () => {
    const detail = 'This file contains rules for every contribution.';
    expect(summariesOf({ facts: [fact('heading', 'Rules', 'AGENTS.md', { detail })] })).toEqual([]);
  });
});

describe('what a README lists', () => {
  it('is told when it is features, with items whole and without instructions', () => {
    const readme = `Shop is a shop that sells used books.

## Features
- Sells books in every country
  that has a post office.
- See the [documentation](docs)
- Fast

## Questions
- I can't sign in?
- A reverse proxy

## Next steps
- Set up a cluster.
`;
    expect(sentencesOf('BUSINESS_LOGIC', { readme })).toEqual([
      'According to its README: Sells books in every country that has a post office; Fast.',
    ]);
  });
});

describe('lists', () => {
  it('have at most eight names, and what is left out still finds the repository', () => {
    const facts = many(30, (index) =>
      fact('table', `t${'abcdefghijklmnopqrstuvwxyzäöüß'[index]}x`, 'schema.sql'),
    );
    const data = summariesOf({ facts }).find(({ domain }) => domain === 'DATA')!;
    expect(data.sentences[0]!.text).toBe('It defines tables such as tax, tbx, tcx, tdx, tex, tfx, tgx, thx.');
    expect(summaryRow('acme/shop', data).words).toContain('tzx');
  });

  it('of routes name the framework, never what a description says about one, and what they are about', () => {
    const described = fact('route', 'POST /v3/auth/disable', 'api.json', {
      detail: 'AuthDisable disables authentication.',
    });
    const routes = many(12, (index) =>
      fact('route', `GET /${index < 9 ? 'books' : 'shelves'}/${index}`, 'a.js', { detail: 'koa-router' }),
    );
    const other = fact('route', 'GET /admin', 'b.js', { detail: 'express' });
    expect(sentencesOf('API', { facts: [described, other, ...routes] })).toEqual([
      'It registers HTTP routes with Koa, for example for books, shelves.',
    ]);
  });

  it('of contracts name services and operations, not messages', () => {
    const facts = [
      fact('contract', 'proto:acme.Books', 'a.proto', { detail: 'service' }),
      fact('contract', 'proto:acme.BookRequest', 'a.proto', { detail: 'message' }),
      uses('contract', 'proto:Books', 'client.go', 'grpc'),
      uses('contract', 'proto:a.proto', 'b.proto', 'import'),
    ];
    expect(sentencesOf('API', { facts })).toEqual(['It defines gRPC services such as acme.Books.']);
  });

  it('of calls name the hosts of others, not its own routes', () => {
    const facts = [
      fact('route', 'GET /books', 'server.js', { detail: 'express' }),
      fact('route', 'POST /books', 'server.js', { detail: 'express' }),
      uses('route', 'GET /books', 'client.js'),
      uses('route', 'POST /v1/send', 'mail.js', 'mail.acme.com'),
      uses('route', 'GET /x', 'mail.js', 'localhost'),
      uses('route', 'GET /x', 'mail.js', 'cms.example.com'),
    ];
    expect(sentencesOf('API', { facts })).toContain('It makes HTTP requests to hosts such as mail.acme.com.');
    expect(sentencesOf('API', { facts })).toHaveLength(2);
  });
});

describe('software', () => {
  it('is what the program runs with, not what its tools, tests or dependencies bring, nor what has such a name', () => {
    const facts = [
      uses('package', 'go:gorm.io/driver/mysql', 'go.mod', 'v1 indirect'),
      uses('package', 'go:github.com/go-sql-driver/mysql', 'tools/go.mod', 'v1'),
      uses('package', 'go:github.com/ClickHouse/clickhouse-go-linter', 'go.mod', 'v1'),
      uses('package', 'npm:sqlite3', 'package.json', '^1 dev'),
      uses('package', 'go:github.com/lib/pq', 'go.mod', 'v1'),
      fact('infrastructure', 'compose:cache', 'compose.yaml', { detail: 'redis:7' }),
    ];
    expect(sentencesOf('DATA', { facts })).toEqual([
      'It has clients, drivers or containers for PostgreSQL, Redis.',
    ]);
  });

  it('of tests is named by its exact package', () => {
    const facts = [
      uses('package', 'cargo:quick-junit', 'Cargo.toml'),
      uses('package', 'npm:vitest', 'package.json', '^5 dev'),
    ];
    expect(sentencesOf('TESTS', { facts, paths: ['test/a.test.ts'] })).toContain(
      'Its dependencies for tests include Vitest.',
    );
  });
});

describe('the domain AUTH', () => {
  it('is not about a linter that has a token of CI, a parser of tokens, or a variable with such a word', () => {
    const facts = [
      uses('environment', 'GITHUB_TOKEN', 'src/a.go'),
      uses('environment', 'NEW_SIGNUP_THRESHOLD', 'src/a.go'),
      uses('package', 'go:github.com/jgautheron/goconst', 'go.mod', 'v1'),
      uses('package', 'go:golang.org/x/oauth2', 'go.mod', 'v1'),
    ];
    const paths = [
      'src/rules/token_case.go',
      'src/rules/aria_role.go',
      'src/policy/check.go',
      'src/policy/load.go',
    ];
    expect(sentencesOf('AUTH', { facts, paths })).toEqual([]);
  });

  it('says where the code is, and repeats no route that the API has named', () => {
    const facts = [fact('route', 'POST /login', 'src/auth/login.ts', { detail: 'express' })];
    const paths = [
      'src/auth/login.ts',
      'src/auth/session.ts',
      'src/policies/a.ts',
      'src/policies/b.ts',
      'src/policies/c.ts',
    ];
    expect(sentencesOf('AUTH', { facts, paths })).toEqual([
      'It has code for authentication or permissions in `src/policies`, `src/auth`.',
    ]);
    expect(sentencesOf('AUTH', { facts })).toEqual([
      'It registers routes about authentication (without prefixes from other files) such as POST /login.',
    ]);
  });
});

it('AUTH names tables of accounts, not every session, role or account, nor sequences', () => {
  const tables = [
    ...['user_sessions', 'users', 'api_keys', 'corporate_session', 'group_type_roles', 'users_token_id_seq'],
    ...['orders', 'invoices', 'books', 'shelves'],
  ];
  const used = many(8, (index) => fact('table', `orders_${index}`, `${index}.sql`));
  const facts = [...used, ...used].concat(tables.map((name) => fact('table', name, 'schema.sql')));
  expect(
    sentencesOf('AUTH', { facts, paths: ['src/auth/a.ts', 'src/auth/b.ts', 'src/accounts/c.ts'] })[0],
  ).toBe('Tables of accounts and permissions include user_sessions, users, api_keys.');
});

it('a server that only shows how a program is doing is not its API', () => {
  const facts = ['GET /debug/pprof/profile', 'GET /metrics', '/healthz'].map((name) =>
    fact('route', name, 'a.go'),
  );
  expect(sentencesOf('API', { facts })).toEqual([]);
});

describe('tables', () => {
  it('that only migrations know are not counted, and migrations of settings are none', () => {
    const facts = [
      fact('table', 'atlases', 'db/migrate/1.rb'),
      fact('table', 'user_roles', 'db/migrate/2.rb'),
    ];
    const paths = ['db/migrate/1.rb', 'db/migrate/2.rb', 'app/models/user_role.rb'];
    expect(sentencesOf('DATA', { facts, paths })).toEqual([
      'It defines tables such as user_roles.',
      'It has migrations in `db/migrate`.',
    ]);
    expect(sentencesOf('DATA', { paths: ['pkg/migrate/a.go', 'pkg/migrate/b.go'] })).toEqual([]);
  });
});

describe('places', () => {
  it('of code are its largest folders, without tests, examples and migrations', () => {
    const paths = [
      ...many(6, (index) => `server/api/a${index}.ts`),
      ...many(5, (index) => `server/jobs/b${index}.ts`),
      'web/a.ts',
      ...many(20, (index) => `server/migrations/m${index}.ts`),
      ...many(20, (index) => `examples/e${index}.go`),
    ];
    expect(
      sentencesOf('BUSINESS_LOGIC', { paths, readme: 'Shop is a program that sells books.' }).at(-1),
    ).toBe('It has TypeScript code in `server/api`, `server/jobs`, `web`.');
    const flat = [...many(6, (index) => `shop/a${index}.py`), 'shop/api/b.py', 'shop/api/c.py', 'setup.py'];
    expect(sentencesOf('BUSINESS_LOGIC', { paths: flat, readme: 'Shop sells books to people.' }).at(-1)).toBe(
      'It has Python code in `shop`, `shop/api`.',
    );
    expect(sentencesOf('EVENTS', { paths })).toEqual(['It has code for background work in `server/jobs`.']);
  });

  it('that hold less than half of the files are examples of places, and many small folders are one', () => {
    const paths = many(60, (index) => `pkg/rule${index}/rule_test.go`);
    expect(sentencesOf('TESTS', { paths })[0]).toBe('It has tests in `pkg`.');
    const spread = many(30, (index) => [`a${index}/x_test.go`, `a${index}/y_test.go`]).flat();
    expect(sentencesOf('TESTS', { paths: spread })[0]).toMatch(/^It has tests in `a0`, /);
  });

  it('of a user interface have files that draw something', () => {
    expect(
      sentencesOf('UI', { paths: ['client/v3/watch.go', 'client/v3/lease.go', 'ui/server.ts'] }),
    ).toEqual([]);
    const yew = uses('package', 'cargo:yew', 'app/Cargo.toml');
    expect(sentencesOf('UI', { facts: [yew], paths: ['app/src/a.rs'] })).toEqual([
      'Libraries of its user interface include Yew.',
    ]);
    expect(sentencesOf('UI', { paths: ['src/pages/a.tsx', 'src/pages/b.tsx'] })).toEqual([
      'It has pages, components or templates in `src/pages`.',
    ]);
  });
});

describe('programs', () => {
  it('are named, and are neither examples nor tools nor benchmarks', () => {
    const facts = [
      fact('entry_point', 'main', 'cmd/shop/main.go'),
      fact('entry_point', 'main', 'tools/gen/main.go'),
      fact('entry_point', 'main', 'crates/x/benches/b.rs'),
      fact('entry_point', 'main', 'pkg/internal/cloner/cloner.go'),
      fact('entry_point', 'shopctl', 'crates/ctl/Cargo.toml'),
      fact('entry_point', 'main', 'crates/ctl/src/main.rs'),
      fact('entry_point', 'main', 'crates/ctl/src/runtime.rs'),
      fact('entry_point', '__main__', 'shop/parse.py'),
    ];
    expect(sentencesOf('CLI', { facts })).toEqual([
      'Its manifests name commands such as shopctl.',
      'Programs start in files such as `cmd/shop/main.go`, `crates/ctl/src/main.rs`.',
    ]);
  });
});

describe('infrastructure', () => {
  it('has images without digests and placeholders, workflows that concern code, and no variable of CI', () => {
    const facts = [
      fact('infrastructure', `docker:node:26@sha256:${'0'.repeat(64)}`, 'Dockerfile'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: As it stands in a container file.
      fact('infrastructure', 'docker:${BASE}', 'Dockerfile'),
      fact('infrastructure', 'ci:Tests', '.github/workflows/a.yml'),
      fact('infrastructure', 'ci:Publish images', '.github/workflows/c.yml'),
      fact('infrastructure', 'ci:Check links', '.github/workflows/d.yml'),
      fact('infrastructure', 'ci:Close stale issues', '.github/workflows/b.yml'),
      fact('environment', 'GH_TOKEN', '.github/workflows/a.yml', { detail: 'ci' }),
      fact('environment', 'SHOP_URL', '.env.sample', { detail: 'env file' }),
      fact('environment', 'SHOP_NAME', '.env.sample', { detail: 'env file' }),
      uses('environment', 'SHOP_PORT', 'src/a.ts'),
      uses('environment', 'GITHUB_TOKEN', 'src/a.ts'),
    ];
    expect(sentencesOf('INFRASTRUCTURE', { facts })).toEqual([
      'Its Dockerfiles build on images such as node:26.',
      'Its CI workflows include Publish images, Check links.',
      'It reads environment variables such as SHOP_PORT.',
      'Its deployment files name variables such as SHOP_URL, SHOP_NAME.',
    ]);
  });
});

describe('a library', () => {
  it('names exports of its index only, and no program has any', () => {
    const symbols = [
      fact('symbol', 'npm:shop#sell', 'src/index.ts'),
      fact('symbol', 'npm:shop#Wrapper', 'src/parts/index.ts'),
    ];
    expect(sentencesOf('LIBRARY', { facts: symbols })).toEqual(['It exports names such as sell.']);
    expect(
      sentencesOf('LIBRARY', { facts: [...symbols, fact('entry_point', 'npm start', 'package.json')] }),
    ).toEqual([]);
  });

  it('depends first on what its code imports, not on types, linters or what tests need', () => {
    const facts = [
      uses('package', 'npm:@types/node', 'package.json'),
      uses('package', 'npm:vitest', 'package.json', '^5 dev'),
      ...many(9, (index) => uses('package', `npm:p${index}`, 'package.json')),
      uses('symbol', 'npm:p8#x', 'a.ts'),
      uses('symbol', 'npm:p8#y', 'b.ts'),
      ...many(8, (index) => uses('symbol', `npm:p${index}#x`, 'a.ts')),
      uses('package', 'npm:only-in-configuration', 'package.json'),
      uses('symbol', 'npm:only-in-configuration#x', 'vite.config.ts'),
    ];
    expect(sentencesOf('LIBRARY', { facts })).toEqual([
      'Its dependencies include p8, p0, p1, p2, p3, p4, p5, p6.',
    ]);
  });
});
