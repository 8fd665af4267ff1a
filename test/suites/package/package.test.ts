/** The package from `npm pack` works when it is installed elsewhere, with an old Node.js and with the bundled one. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WEB_APP_FOLDER } from '../../../src/build-web-app.ts';
import {
  CHECKOUT,
  type Ended,
  endProcesses,
  findOldNode,
  PASSWORD,
  postgresPid,
  runCountersign,
  type Service,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { version: string };
const OLD_NODE = findOldNode();
/** Without the checkout's own programs, as in a user's shell. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

function npm(folder: string, command: string, ...args: string[]): string {
  const env = { PATH, HOME: process.env.HOME, npm_config_update_notifier: 'false' };
  return execFileSync(command, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The tracked and untracked files of the checkout, so that nothing is built in the checkout itself. */
function copyOfCheckout(): string {
  const folder = join(temporaryFolder(), 'checkout');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: CHECKOUT,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(CHECKOUT, file), join(folder, file), { force: true });
  }
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  // If it is current, as it is after the browser tests' setup, it isn't built again: that takes seven seconds of CPU time.
  if (existsSync(WEB_APP_FOLDER)) cpSync(WEB_APP_FOLDER, join(folder, 'web', 'dist'), { recursive: true });
  return folder;
}

/**
 * Puts the dependencies of the package where npm would install them: it then only checks that nothing is missing and nothing
 * is too much, instead of unpacking 450 MB. As links, because nothing writes to them.
 */
function linkDependencies(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const wanted = Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
    path === '' || dev || devOptional || !existsSync(join(CHECKOUT, path)) ? [] : [path],
  );
  for (const path of [...wanted, join('node_modules', '.bin')]) linkFolder(path, folder);
}

function linkFolder(path: string, into: string): void {
  mkdirSync(join(into, path), { recursive: true });
  for (const entry of readdirSync(join(CHECKOUT, path), { withFileTypes: true })) {
    const [from, to] = [join(CHECKOUT, path, entry.name), join(into, path, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else if (entry.isFile()) linkOrCopy(from, to);
    // Packages below others are in the list themselves, if they are wanted.
    else if (entry.name !== 'node_modules') linkFolder(join(path, entry.name), into);
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
}

describe('the package', () => {
  const home = temporaryFolder();
  const checkout = copyOfCheckout();
  mkdirSync(join(checkout, 'dist'));
  let fromCheckout: Ended;
  let files: string[];
  let bin: string;

  beforeAll(async () => {
    writeFileSync(join(checkout, 'dist', 'main.js'), 'throw new Error("stale");');
    fromCheckout = await runCountersign(['--version'], { bin: join(checkout, 'bin', 'countersign') });
    writeFileSync(join(checkout, 'dist', 'left-over.js'), '');
    writeFileSync(join(checkout, '.env'), 'METRICS_TOKEN=0123456789abcdef');
    const said = npm(checkout, 'npm', 'pack', '--json', '--pack-destination', home);
    const [packed] = JSON.parse(said.slice(said.search(/^\[/m))) as [
      { filename: string; files: { path: string }[] },
    ];
    files = packed.files.map(({ path }) => path);
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    linkDependencies(home);
    npm(home, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed.filename}`);
    bin = join(home, 'node_modules', 'countersign', 'bin', 'countersign');
  });

  it('is not what a checkout runs: its sources, whatever is in dist', () => {
    expect(fromCheckout).toMatchObject({ code: 0, stdout: `countersign ${version}\n` });
  });

  it('contains the built program and its data, and no test, source or secret', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'bin/countersign',
        'bin/package.json',
        'dist/main.js',
        'dist/client/index.js',
        'dist/client/index.d.ts',
        'dist/licenses/kysely.txt',
        'deploy/countersign.service',
        'web/dist/index.html',
        'LICENSE',
        'README.md',
      ]),
    );
    for (const migration of readdirSync(join(CHECKOUT, 'src', 'platform', 'db', 'migrations'))) {
      expect(files).toContain(`dist/platform/db/migrations/${migration}`);
    }
    for (const asset of readdirSync(join(CHECKOUT, 'src', 'transports', 'http', 'docs', 'assets'))) {
      expect(files).toContain(`dist/transports/http/docs/assets/${asset}`);
    }
    for (const text of globSync('**/*.md', { cwd: join(CHECKOUT, 'src', 'transports', 'mcp') })) {
      expect(files).toContain(`dist/transports/mcp/${text}`);
    }
    expect(
      files.filter((file) =>
        /(?<!\.d)\.ts$|\.test\.|^(src|test|scripts|bench|data|docs\/screenshots)\/|\.env|left-over|\.tgz$|\.key$/.test(
          file,
        ),
      ),
    ).toEqual([]);
    expect(
      files.filter((file) => !/^(bin|deploy|dist|docs|integrations|web\/dist)\//.test(file)).sort(),
    ).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'].sort());
  });

  it('has nothing to prepare where it is unpacked', () => {
    npm(join(home, 'node_modules', 'countersign'), 'npm', 'run', 'prepare');
  });

  it('has no development dependencies', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
    const installed = new Set(readdirSync(join(home, 'node_modules')));
    for (const name of ['typescript', 'vitest', 'vite', 'fast-check', 'autocannon']) {
      expect(devDependencies).toHaveProperty(name);
      expect(installed).not.toContain(name);
    }
  });

  it('its command prints its help and version', () => {
    expect(npm(home, 'npx', '--no-install', 'countersign', '--help')).toMatch(/^Countersign: .*\n\nUsage: /);
    expect(npm(home, 'npx', '--no-install', 'countersign', '--version')).toBe(`countersign ${version}\n`);
  });

  it('reviews code with the grammars of its dependency', async () => {
    const cwd = temporaryFolder();
    const git = (...words: string[]) => execFileSync('git', words, { cwd });
    writeFileSync(join(cwd, 'one.py'), 'def first(): pass\n');
    writeFileSync(join(cwd, 'two.py'), 'from one import first\n');
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'First');
    writeFileSync(join(cwd, 'one.py'), 'def second(): pass\n');
    const { code, stdout } = await runCountersign(['review'], { bin, cwd, env: { PATH } });
    expect(stdout).toContain('first was removed but is still used');
    expect(code).toBe(4);
  });

  it('serves, with the bundled Node.js if it is started with an old one', async () => {
    const node = OLD_NODE ?? process.execPath;
    const cwd = temporaryFolder();
    const options = { bin, node, cwd, env: { PATH } };
    const service: Service = await startService(options);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const docs = await fetch(`${service.url}/docs`);
    expect(docs.status).toBe(200);
    const page = await docs.text();
    const linked = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(linked.length).toBeGreaterThan(2);
    for (const path of linked) expect((await fetch(service.url + path)).status, path).toBe(200);
    const words = ['setup', '--organization', 'Acme', '--email', 'ada@example.com', '--name', 'Ada'];
    expect(await runCountersign(words, { ...options, input: PASSWORD })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await service.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(postgresPid(join(cwd, 'data'))).toBeUndefined();
  });
});
