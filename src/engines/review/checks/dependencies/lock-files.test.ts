/** Lock files and manifests that don't fit, install scripts, and the line of the summary about dependencies. */
import { describe, expect, it } from 'vitest';
import { findingsOf, reviewChange } from '../../../../../test/helpers/git/review-change.ts';
import { CHECKS, chooseChecks } from '../index.ts';

const manifest = (dependencies: Record<string, string>, more: object = {}) =>
  `${JSON.stringify({ name: 'app', ...more, dependencies }, null, 2)}\n`;
const npmLock = (dependencies: Record<string, string>, member?: Record<string, string>) =>
  `${JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies }, ...(member && { 'packages/a': { dependencies: member } }), 'node_modules/zod': { version: '3.0.0' } } }, null, 2)}\n`;
const outdated = (before: Record<string, string>, after: Record<string, string>) =>
  findingsOf(before, after, 'lock_file_outdated');

describe('a lock file that was not updated', () => {
  it('of npm is found for the root and for members of a workspace', async () => {
    const before = {
      'package.json': manifest({ zod: '^3.0.0' }),
      'packages/a/package.json': manifest({ zod: '^3.0.0' }),
      'package-lock.json': npmLock({ zod: '^3.0.0' }, { zod: '^3.0.0' }),
    };
    expect(await outdated(before, { 'package.json': manifest({ zod: '^4.0.0' }) })).toEqual([
      'lock_file_outdated package.json:4 package-lock.json does not have zod ^4.0.0',
    ]);
    expect(await outdated(before, { 'packages/a/package.json': manifest({ zod: '^4.0.0' }) })).toEqual([
      'lock_file_outdated packages/a/package.json:4 package-lock.json does not have zod ^4.0.0',
    ]);
    const both = {
      'package.json': manifest({ zod: '^4.0.0' }),
      'package-lock.json': npmLock({ zod: '^4.0.0' }, { zod: '^3.0.0' }),
    };
    expect(await outdated(before, both)).toEqual([]);
    // Neither a workspace nor another spelling says which version is meant, and overrides win.
    for (const after of [
      manifest({ zod: 'workspace:^4.0.0' }),
      manifest({ zod: 'github:a/zod' }),
      manifest({ zod: '^4.0.0' }, { overrides: { zod: '^3.0.0' } }),
    ])
      expect(await outdated(before, { 'package.json': after })).toEqual([]);
    const old = { ...before, 'package-lock.json': '{ "dependencies": { "zod": { "version": "3.0.0" } } }\n' };
    expect(await outdated(old, { 'package.json': manifest({ zod: '^4.0.0' }) })).toEqual([]);
  });

  it('is not reported if it was out of date before, or writes ranges in another way', async () => {
    const before = {
      'package.json': manifest({ yaml: '^2.0.0', zod: '^3.0.0' }),
      'package-lock.json': npmLock({ zod: '^3.0.0' }),
    };
    expect(await outdated(before, { 'package.json': manifest({ yaml: '^2.0.0', zod: '^4.0.0' }) })).toEqual(
      [],
    );
  });

  it('of npm is not reported if it has a version that the manifest accepts: npm ci works with it', async () => {
    const lockOf = (member: object, more: object = {}) =>
      `${JSON.stringify({ lockfileVersion: 3, packages: { '': {}, 'packages/a': member, 'node_modules/zod': { version: '3.4.5' }, ...more } }, null, 2)}\n`;
    const before = {
      'packages/a/package.json': manifest({}),
      'package-lock.json': lockOf({}),
    };
    const isReported = async (range: string, lock = lockOf({})) =>
      (
        await outdated(
          { ...before, 'package-lock.json': lock },
          { 'packages/a/package.json': manifest({ zod: range }) },
        )
      ).length > 0;
    for (const range of ['^3.0.0', '^3.4.5', '~3.4.0', '3.4.5']) expect(await isReported(range)).toBe(false);
    for (const range of ['^3.5.0', '^4.0.0', '~3.3.0', '^0.4.5', '3.4.4', '3.4.6', '^2.9.9'])
      expect(await isReported(range), range).toBe(true);
    const own = lockOf({}, { 'packages/a/node_modules/zod': { version: '0.2.9' } });
    expect([await isReported('^0.2.0', own), await isReported('^0.1.9', own)]).toEqual([false, true]);
    expect([await isReported('^0.3.0', own), await isReported('^3.0.0', own)]).toEqual([true, true]);
  });

  it('in a member of a workspace does not count: the one at the root does', async () => {
    const before = {
      'packages/a/package.json': manifest({ zod: '^3.0.0' }),
      'packages/a/package-lock.json': npmLock({ zod: '^3.0.0' }),
      'package-lock.json': npmLock({}, { zod: '^3.0.0' }),
    };
    const after = {
      'packages/a/package.json': manifest({ zod: '^4.0.0', 'left-pad': '^1.0.0' }),
      'package-lock.json': npmLock({}, { zod: '^4.0.0', 'left-pad': '^1.0.0' }),
    };
    expect(await findingsOf(before, after)).toEqual([]);
  });

  it.each([
    ['yarn.lock', '"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.1.0"\n', '^1.1.0'],
    ['yarn.lock', '"@a/b@npm:^1.0.0, @a/b@npm:^1.1.0":\n  version: 1.1.0\n', '^1.1.0'],
    [
      'pnpm-lock.yaml',
      "importers:\n  .:\n    dependencies:\n      '@a/b':\n        specifier: ^1.1.0\n        version: 1.1.0\n",
      '^1.1.0',
    ],
    ['pnpm-lock.yaml', "specifiers:\n  '@a/b': ^1.1.0\n", '^1.1.0'],
  ])('of %s is found by the range', async (path, lock, known) => {
    const before = { 'package.json': manifest({ '@a/b': '^1.0.0' }), [path]: lock };
    expect(await outdated(before, { 'package.json': manifest({ '@a/b': known }) })).toEqual([]);
    expect(await outdated(before, { 'package.json': manifest({ '@a/b': '^2.0.0' }) })).toEqual([
      `lock_file_outdated package.json:4 ${path} does not have @a/b ^2.0.0`,
    ]);
  });

  it('of a pnpm workspace is not about folders outside of it', async () => {
    const dependencies = (range: string) =>
      `    dependencies:\n      zod:\n        specifier: ${range}\n        version: 3.0.0\n`;
    const before = {
      'packages/a/package.json': manifest({ zod: '^3.0.0' }),
      'templates/t/package.json': manifest({ zod: '^3.0.0' }),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'pnpm-lock.yaml': `importers:\n\n  packages/a:\n${dependencies('^3.0.0')}\npackages:\n\n  zod@3.0.0: {}\n`,
    };
    const later = manifest({ zod: '^4.0.0' });
    expect(await outdated(before, { 'packages/a/package.json': later })).toEqual([
      'lock_file_outdated packages/a/package.json:4 pnpm-lock.yaml does not have zod ^4.0.0',
    ]);
    expect(await outdated(before, { 'templates/t/package.json': later })).toEqual([]);
    const added = {
      'packages/b/package.json': manifest({ 'left-pad': '^1.0.0' }),
      'examples/c/package.json': manifest({ 'right-pad': '^1.0.0' }),
      'examples/c/pnpm-workspace.yaml': 'packages: []\n',
      'scripts/d/package.json': manifest({ 'top-pad': '^1.0.0' }),
      'scripts/d/bun.lock': '{ "packages": { "top-pad": [] } }\n',
    };
    expect(await findingsOf(before, added, 'dependency_not_locked')).toEqual([
      'dependency_not_locked packages/b/package.json:4 left-pad is not in pnpm-lock.yaml',
    ]);
  });

  it('of Yarn does not have the packages of the repository themselves', async () => {
    const before = {
      'packages/a/package.json': manifest({ '@acme/b': '1.0.0' }),
      'packages/b/package.json': '{ "name": "@acme/b", "version": "1.0.0" }\n',
      'package.json': manifest({}, { workspaces: ['packages/*'] }),
      'yarn.lock': '"@acme/b@0.x":\n  version "0.9.0"\n',
    };
    const released = { 'packages/b/package.json': '{ "name": "@acme/b", "version": "1.1.0" }\n' };
    const asks = { 'packages/a/package.json': manifest({ '@acme/b': '1.1.0' }) };
    expect(await outdated(before, { ...asks, ...released })).toEqual([]);
    expect(await outdated(before, asks)).toEqual([
      'lock_file_outdated packages/a/package.json:4 yarn.lock does not have @acme/b 1.1.0',
    ]);
  });

  it('of a folder above is not about packages outside of its workspace', async () => {
    const added = (path: string, root: object) =>
      findingsOf(
        { 'package.json': JSON.stringify(root), 'yarn.lock': '# yarn lockfile v1\n' },
        { [path]: manifest({ 'left-pad': '^1.0.0' }) },
        'dependency_not_locked',
      );
    const missing = (path: string) => [`dependency_not_locked ${path}:4 left-pad is not in yarn.lock`];
    const inside = 'packages/a/package.json';
    expect(await added(inside, { workspaces: ['./packages/*'] })).toEqual(missing(inside));
    expect(await added(inside, { workspaces: { packages: ['packages/**'] } })).toEqual(missing(inside));
    expect(await added(inside, { workspaces: ['packages/*', '!packages/a'] })).toEqual([]);
    expect(await added(inside, {})).toEqual([]);
    expect(await added('.github/scripts/package.json', { workspaces: ['packages/*'] })).toEqual([]);
  });

  it('of Go is found, except for what is replaced or in a workspace', async () => {
    const mod = (version: string, more = '') =>
      `module a.example/b\n\ngo 1.24\n\nrequire (\n\tc.example/d ${version}\n)\n${more}`;
    const before = {
      'go.mod': mod('v1.0.0'),
      'go.sum':
        'c.example/d v1.0.0 h1:x=\nc.example/d v1.0.0/go.mod h1:x=\nc.example/d v1.1.0/go.mod h1:x=\n',
    };
    expect(await outdated(before, { 'go.mod': mod('v1.2.0') })).toEqual([
      'lock_file_outdated go.mod:6 go.sum does not have c.example/d v1.2.0',
    ]);
    expect(await outdated(before, { 'go.mod': mod('v1.1.0') })).toEqual([]);
    expect(await outdated(before, { 'go.mod': mod('v1.2.0', '\nreplace c.example/d => ../d\n') })).toEqual(
      [],
    );
    expect(await outdated({ ...before, 'go.work': 'go 1.24\n' }, { 'go.mod': mod('v1.2.0') })).toEqual([]);
  });
});

it('finds lock files that change alone and install scripts, only where these checks are switched on', async () => {
  const before = {
    'package.json': manifest({ zod: '^3.0.0' }, { scripts: { build: 'x' } }),
    'package-lock.json': npmLock({ zod: '^3.0.0' }),
    'api/Cargo.toml': '[package]\nname = "api"\n',
    'api/Cargo.lock': 'version = 3\n',
  };
  const lock = npmLock({ zod: '^3.0.1' });
  expect(
    await findingsOf(
      before,
      { 'package-lock.json': lock, 'api/Cargo.lock': 'version = 4\n' },
      'lock_file_alone',
    ),
  ).toEqual([
    'lock_file_alone api/Cargo.lock:1 api/Cargo.lock changes without a manifest',
    'lock_file_alone package-lock.json:6 package-lock.json changes without a manifest',
  ]);
  const scripts = { build: 'x', postinstall: 'node steal.js', prepublishOnly: 'x' };
  const after = { 'package.json': manifest({ zod: '^3.0.0' }, { scripts }), 'package-lock.json': lock };
  expect(await findingsOf(before, after, 'lock_file_alone')).toEqual([]);
  expect(await findingsOf(before, after, 'install_script')).toEqual([
    'install_script package.json:5 New postinstall script',
  ]);
  const moved = { 'package.json': manifest({ zod: '^3.1.0' }, { scripts }) };
  expect(await findingsOf({ ...before, ...after }, moved, 'install_script')).toEqual([]);
  const edited = { 'package.json': manifest({}, { scripts: { postinstall: 'node more.js' } }) };
  expect(await findingsOf({ ...before, ...after }, edited, 'install_script')).toEqual([
    'install_script package.json:4 Changed postinstall script',
  ]);
  const names = chooseChecks(['dependency_risk'], []).map(({ name }) => name);
  expect(names).toContain('lock_file_outdated');
  expect(names.filter((name) => ['lock_file_alone', 'install_script'].includes(name))).toEqual([]);
});

it('says in one line which dependencies are new, have a new major version or an older one', async () => {
  const checks = CHECKS.filter(({ name }) => name === 'new_dependencies');
  const note = async (before: Record<string, string>, after: Record<string, string>) => {
    const result = await reviewChange({ 'keep.txt': '', ...before }, after, { checks });
    expect(result.candidates).toEqual([]);
    return result.checks[0]!.note;
  };
  const before = {
    'package.json': manifest({ react: '^17.0.2', zod: '^3.1.0', left: '1.2.3' }),
    'api/requirements.txt': 'flask==2.0.0\n',
  };
  const after = {
    'package.json': manifest({
      react: '^18.0.0',
      zod: '^3.2.0',
      left: '1.2.2',
      own: 'workspace:*',
      '@a/b': '1.0.0',
    }),
    'api/requirements.txt': 'flask==3.0.0\nrequests==2.0.0\n',
  };
  expect(await note(before, after)).toBe(
    'New dependencies: @a/b, requests. Major updates: flask (==2.0.0 → ==3.0.0), react (^17.0.2 → ^18.0.0). Downgrades: left (1.2.3 → 1.2.2).',
  );
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`n${n}`, '1.0.0']));
  expect(await note({}, { 'package.json': manifest(many) })).toMatch(
    /^New dependencies: n0, n1, .* and 3 more\.$/,
  );
  expect(await note(before, { 'package.json': manifest({ react: '^17.0.3' }) })).toBeUndefined();
});
