/** Reads lock files as their tools write them, and the packages that a change adds to them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reviewChange } from '../../../../test/helpers/git/review-change.ts';
import { lockFormatOf } from './locked-packages.ts';

const LOCKS: { path: string; ecosystem: string; text: string; packages: string[] }[] = [
  {
    path: 'package-lock.json',
    ecosystem: 'npm',
    text: `{
  "name": "app",
  "version": "9.9.9",
  "lockfileVersion": 3,
  "packages": {
    "": {
      "name": "app",
      "version": "9.9.9",
      "dependencies": {
        "lodash": "^4.17.0"
      }
    },
    "packages/a": {
      "name": "@acme/a",
      "version": "1.0.0"
    },
    "node_modules/@acme/a": {
      "resolved": "packages/a",
      "link": true
    },
    "node_modules/lodash": {
      "version": "4.17.15",
      "license": "MIT"
    },
    "node_modules/lodash/node_modules/@types/node": {
      "version": "20.0.0-rc.1"
    },
    "node_modules/other": {
      "name": "left-pad",
      "version": "1.3.0"
    },
    "node_modules/ours": {
      "version": "1.0.0",
      "resolved": "git+ssh://git@example.com/ours.git#abc"
    }
  }
}`,
    packages: ['lodash 4.17.15 :22', '@types/node 20.0.0-rc.1 :26', 'left-pad 1.3.0 :30'],
  },
  {
    path: 'web/npm-shrinkwrap.json',
    ecosystem: 'npm',
    text: `{
  "name": "app",
  "version": "9.9.9",
  "lockfileVersion": 1,
  "dependencies": {
    "lodash": {
      "version": "4.17.15",
      "requires": {
        "b": "1"
      },
      "dependencies": {
        "b": {
          "version": "1.0.0"
        }
      }
    },
    "ours": {
      "version": "file:packages/ours"
    },
    "other": {
      "version": "npm:left-pad@1.3.0"
    }
  }
}`,
    packages: ['lodash 4.17.15 :7', 'b 1.0.0 :13', 'left-pad 1.3.0 :21'],
  },
  {
    path: 'yarn.lock',
    ecosystem: 'npm',
    text: `# yarn lockfile v1

"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.1.2"
  dependencies:
    lodash "^4.17.10"

lodash@^4.17.10, lodash@^4.17.15:
  version "4.17.15"

"alias@npm:left-pad@^1.0.0":
  version "1.3.0"

"ours@git+https://example.com/ours.git":
  version "1.0.0"
`,
    packages: ['@babel/core 7.1.2 :4', 'lodash 4.17.15 :9', 'left-pad 1.3.0 :12'],
  },
  {
    path: 'yarn.lock',
    ecosystem: 'npm',
    text: `__metadata:
  version: 8

"@babel/core@npm:^7.0.0, @babel/core@npm:^7.1.0":
  version: 7.1.2
  resolution: "@babel/core@npm:7.1.2"

"app@workspace:.":
  version: 0.0.0-use.local

"lodash@npm:4.17.15":
  version: 4.17.15
`,
    packages: ['@babel/core 7.1.2 :5', 'lodash 4.17.15 :12'],
  },
  {
    path: 'pnpm-lock.yaml',
    ecosystem: 'npm',
    text: `lockfileVersion: '9.0'

importers:
  .:
    dependencies:
      lodash:
        specifier: ^4.17.0
        version: 4.17.15

patchedDependencies:
  lodash@4.17.14:
    path: patches/lodash.patch

packages:

  '@babel/core@7.1.2':
    resolution: {integrity: sha512-x}

  lodash@4.17.15:
    resolution: {integrity: sha512-y}

  /older/1.2.3:
  /@scope/old@2.0.0(react@18.0.0):

snapshots:

  lodash@4.17.15: {}
`,
    packages: [...['@babel/core 7.1.2 :16', 'lodash 4.17.15 :19', 'older 1.2.3 :22', '@scope/old 2.0.0 :23']],
  },
  {
    path: 'go.mod',
    ecosystem: 'Go',
    text: `module example.com/app

go 1.24

require golang.org/x/text v0.3.7

require ( // all
	github.com/a/b v1.2.3 // indirect
	github.com/c/d v2.0.0+incompatible
	github.com/e/f v1.0.0
)

replace github.com/e/f => ../f

replace github.com/a/b v1.0.0 => ../b

exclude (
	github.com/g/h v1.0.0
)
`,
    packages: ['golang.org/x/text 0.3.7 :5', 'github.com/a/b 1.2.3 :8', 'github.com/c/d 2.0.0 :9'],
  },
  {
    path: 'Cargo.lock',
    ecosystem: 'crates.io',
    text: `version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "time",
]

[[package]]
name = "time"
version = "0.1.43"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "member"
version = "0.2.0"

[[patch.unused]]
name = "x"
version = "1.0.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
`,
    packages: ['time 0.1.43 :12'],
  },
  {
    path: 'uv.lock',
    ecosystem: 'PyPI',
    text: `[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }

[[package]]
name = "jinja2"
version = "2.11.2"
source = { registry = "https://pypi.org/simple" }
`,
    packages: ['jinja2 2.11.2 :8'],
  },
  {
    path: 'poetry.lock',
    ecosystem: 'PyPI',
    text: '[[package]]\nname = "Jinja2"\nversion = "2.11.2"\n\n[package.extras]\ni18n = ["Babel"]\n\n[[package]]\nname = "ours"\nversion = "1.0"\n\n[package.source]\ntype = "git"\n',
    packages: ['Jinja2 2.11.2 :3'],
  },
  {
    path: 'Pipfile.lock',
    ecosystem: 'PyPI',
    text: '{\n    "default": {\n        "jinja2": {\n            "hashes": [],\n            "version": "==2.11.2"\n        }\n    }\n}\n',
    packages: ['jinja2 2.11.2 :5'],
  },
  {
    path: 'requirements-dev.txt',
    ecosystem: 'PyPI',
    text: '# tools\nJinja2[i18n] == 2.11.2 ; python_version > "3"\nflask>=1.0\n-r other.txt\nrequests==2.0.0 # x\ndjango==4.2.*\n',
    packages: ['Jinja2 2.11.2 :2', 'requests 2.0.0 :5'],
  },
  {
    path: 'Gemfile.lock',
    ecosystem: 'RubyGems',
    text: 'PATH\n  remote: .\n  specs:\n    app (1.0)\n\nGEM\n  specs:\n    nokogiri (1.10.0-x86_64-linux)\n      mini_portile2 (~> 2.4)\n    rails (5.2.0)\n',
    packages: ['nokogiri 1.10.0 :8', 'rails 5.2.0 :10'],
  },
  {
    path: 'composer.lock',
    ecosystem: 'Packagist',
    text: '{\n    "packages": [\n        {\n            "name": "symfony/http-kernel",\n            "version": "v4.4.0",\n            "authors": [\n                {\n                    "name": "Ada",\n                }\n            ]\n        }\n    ]\n}\n',
    packages: ['symfony/http-kernel 4.4.0 :5'],
  },
];

const describePackages = (path: string, text: string) =>
  lockFormatOf(path)!
    .read(text.split('\n'))
    .map(({ line, name, version }) => `${name} ${version} :${line}`);

it.each(LOCKS)('reads $path', ({ ecosystem, packages, path, text }) => {
  expect(lockFormatOf(path)?.ecosystem).toBe(ecosystem);
  expect(describePackages(path, text)).toEqual(packages);
});

it('reads any text without failing, and long ones in linear time', () => {
  const piece = fc.constantFrom(...LOCKS.flatMap(({ text }) => text.split('\n')), '"a": {', '@', '=>', '');
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom(...LOCKS), (lines, { path }) => {
      for (const { line, name, version } of lockFormatOf(path)!.read(lines)) {
        expect(name).not.toBe('');
        expect(lines[line - 1]).toContain(version);
      }
    }),
  );
  for (const { path } of LOCKS) {
    for (const unit of ['a', 'a.', ' ', '"', '  a@1', 'x v1 ', '=> ', '[', "'", '\\"'])
      describePackages(path, `  ${unit.repeat(1_000_000)}`);
    describePackages(path, '[[package]]\n'.repeat(300_000));
  }
}, 20_000);

it('finds lock files by their names alone', () => {
  for (const path of ['package.json', 'my-yarn.lock', 'go.sum', 'requirements.md', 'Cargo.lock.orig'])
    expect(lockFormatOf(path), path).toBeUndefined();
});

describe('what a change adds', () => {
  const lock = (packages: Record<string, string>) =>
    JSON.stringify(
      {
        packages: Object.fromEntries(
          Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]),
        ),
      },
      null,
      2,
    );
  const added = async (before: Record<string, string>, after: Record<string, string | null>) =>
    (
      await reviewChange({ 'keep.txt': 'keep\n', ...before }, after, { only: 'x', listsPackages: true })
    ).addedPackages.packages.map(
      (each) => `${each.name} ${each.version} (${each.before}) ${each.file}:${each.line}`,
    );

  it('is what no changed lock file had, with the versions that there were', async () => {
    const before = { 'package-lock.json': lock({ a: '1.0.0', b: '1.0.0', c: '1.0.0' }) };
    expect(
      await added(before, { 'package-lock.json': lock({ a: '1.0.0', b: '2.0.0', d: '1.0.0' }) }),
    ).toEqual(['b 2.0.0 (1.0.0) package-lock.json:7', 'd 1.0.0 () package-lock.json:9']);
    // Moved, or split.
    const moved = { 'package-lock.json': null, 'web/package-lock.json': lock({ a: '1.0.0', b: '1.0.1' }) };
    expect(await added(before, moved)).toEqual(['b 1.0.1 (1.0.0) web/package-lock.json:7']);
    // The same package in another spelling.
    const poetry = (name: string) => `[[package]]\nname = "${name}"\nversion = "2.11.2"\n`;
    expect(await added({ 'poetry.lock': poetry('Jinja2') }, { 'poetry.lock': poetry('jinja2') })).toEqual([]);
    for (const folder of ['vendor/x', 'test/fixtures'])
      expect(await added({}, { [`${folder}/package-lock.json`]: lock({ a: '1.0.0' }) })).toEqual([]);
  });

  it('has limits, and says what is beyond them', async () => {
    const many = (count: number, name: (n: number) => string, version: (n: number) => string) =>
      Array.from(
        { length: count },
        (_, n) => `[[package]]\nname = "${name(n)}"\nversion = "${version(n)}"\n`,
      ).join('');
    const review = async (before: string, after: string) =>
      (
        await reviewChange(
          { 'poetry.lock': before },
          { 'poetry.lock': after },
          { only: 'x', listsPackages: true },
        )
      ).addedPackages;
    const few = await review(
      many(
        21,
        () => 'a',
        (n) => `1.${n}`,
      ),
      many(
        1,
        () => 'a',
        () => '2.0',
      ) +
        many(
          21,
          () => 'b',
          (n) => `1.${n}`,
        ) +
        many(
          1,
          () => 'c',
          () => '1.0',
        ),
    );
    expect(few.packages.map(({ name }) => name)).toEqual(['c']);
    expect(few.leftOut).toEqual(['2 packages with new versions are beyond the limits']);
    const all = await review(
      '',
      many(
        2005,
        (n) => `p${n}`,
        () => '1.0',
      ) +
        many(
          1,
          () => 'x',
          () => '1'.repeat(101),
        ),
    );
    expect([all.packages.length, ...all.leftOut]).toEqual([
      ...[2000, '5 packages with new versions are beyond the limits'],
    ]);
    const large = await review('', `${'#'.repeat(4 * 1024 * 1024 + 1)}\n`);
    expect(large.leftOut).toEqual(['poetry.lock is too large or isn’t text']);
  });
});
