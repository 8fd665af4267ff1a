import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FixtureRepository, makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { type MirrorPlace, makeMirrorPlace } from '../../../../test/helpers/git/mirror-location.ts';
import { type GitServer, startGitServer } from '../../../../test/helpers/servers/git-server.ts';
import { configureGit } from '../run/git-environment.ts';
import { explainGitFailure, type GitFailure } from '../run/git-failure.ts';
import { listRefs } from '../run/refs.ts';
import { runGit } from '../run/run-git.ts';
import { checkCredential, type RemoteCredential, withConnection } from './connection.ts';
import { cloneMirror } from './mirror.ts';
import type { RemoteAddress } from './remote-address.ts';
import { sshConfiguration } from './ssh-configuration.ts';

const PASSWORD = 'p@ss:w%rd/"\'$(id) ü';
const ENCODED = Buffer.from(`me:${PASSWORD}`).toString('base64');
const credential: RemoteCredential = { kind: 'password', username: 'me', password: PASSWORD };

let place: MirrorPlace;
let origin: FixtureRepository;
let server: GitServer;
beforeEach(async () => {
  place = await makeMirrorPlace();
  origin = await makeRepository({ a: 'a' });
  server = await startGitServer({ folder: origin.parent, username: 'me', password: PASSWORD });
});
afterEach(async () => {
  await server.close();
  await origin.remove();
  await place.remove();
});

const address = () => `${server.url}/${origin.name}`;

describe('a password', () => {
  it('is sent to the server that asks for it, and leaves no file behind', async () => {
    await cloneMirror(await place.options(address(), credential));
    expect((await listRefs(place.gitDir)).refs).toHaveLength(1);
    const sent = server.requests.map(({ authorization }) => authorization);
    expect(sent[0], 'nothing is sent before the server asks').toBeUndefined();
    expect(sent.slice(1).every((header) => header === `Basic ${ENCODED}`)).toBe(true);
    expect(readdirSync(place.folder)).toEqual(['mirror.git']);
    expect(await readFile(join(place.gitDir, 'config'), 'utf8')).not.toContain('p@ss');
  });

  it('is sent with the user name git when none is given', async () => {
    const options = await place.options(address(), { kind: 'password', password: 'token' });
    await cloneMirror(options).catch(() => {});
    const tokens = `Basic ${Buffer.from('git:token').toString('base64')}`;
    expect(server.requests.map(({ authorization }) => authorization)).toContain(tokens);
  });

  it('that is wrong fails with a message that never contains the password', async () => {
    const wrong = 'wrong-secret-word';
    server.intercept((request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/plain' });
      response.end(`you sent ${request.headers.authorization} ${wrong}\n`);
      return true;
    });
    const options = await place.options(address(), { kind: 'password', password: wrong });
    const failure = (await cloneMirror(options).catch((error: unknown) => error)) as GitFailure;
    expect(explainGitFailure(failure)).toMatch(/Authentication failed/);
    const encoded = Buffer.from(`git:${wrong}`).toString('base64');
    for (const secret of [wrong, encoded])
      expect(`${failure.message} ${failure.stderrTail}`).not.toContain(secret);
  });

  it('that is missing fails without a prompt', async () => {
    const failure = (await cloneMirror(await place.options(address())).catch(
      (error: unknown) => error,
    )) as GitFailure;
    expect(explainGitFailure(failure)).toMatch(/Authentication failed/);
  });

  it.skipIf(process.platform !== 'linux')(
    'is never in the arguments or environment of a process',
    async () => {
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      server.intercept((request) => {
        if (request.method !== 'POST') return false;
        resolve();
        return true;
      });
      const controller = new AbortController();
      const options = { ...(await place.options(address(), credential)), signal: controller.signal };
      const work = cloneMirror(options).catch((error: GitFailure) => error.reason);
      await asked;
      const seen = processes().filter(({ commandLine }) => commandLine.includes(origin.name));
      expect(seen.length).toBeGreaterThan(1);
      for (const { commandLine, environment } of seen)
        for (const secret of ['p@ss', encodeURIComponent(PASSWORD), ENCODED])
          expect(`${commandLine} ${environment}`).not.toContain(secret);
      const [folder] = readdirSync(place.folder).filter((name) => name.startsWith('connection-'));
      expect(statSync(join(place.folder, folder!)).mode & 0o777).toBe(0o700);
      expect(statSync(join(place.folder, folder!, 'password')).mode & 0o777).toBe(0o600);
      controller.abort();
      expect(await work).toBe('aborted');
      expect(readdirSync(place.folder).filter((name) => name.startsWith('connection-'))).toEqual([]);
    },
  );
});

describe('the address that was checked', () => {
  it('is the one used for http, even if the name resolves differently now', async () => {
    const options = await place.options(address(), credential);
    const remote: RemoteAddress = {
      kind: 'http',
      url: `http://name.invalid:${server.port}/${origin.name}`,
      host: 'name.invalid',
      port: server.port,
      addresses: ['127.0.0.1'],
    };
    await cloneMirror({ ...options, remote });
    expect((await listRefs(place.gitDir)).refs).toHaveLength(1);
  });

  it('is the one used for git://, and the server still gets the host name', async () => {
    const remote: RemoteAddress = {
      kind: 'git',
      url: 'git://name.invalid/owner/x.git',
      host: 'name.invalid',
      port: 9418,
      addresses: ['2001:db8::1'],
    };
    const options = { remote, credential: null, folder: origin.parent, knownHostsFile: '/dev/null' };
    await withConnection(options, async ({ url, options: reach }) => {
      expect(url).toBe('git://[2001:db8::1]:9418/owner/x.git');
      expect(reach.extraEnvironment).toMatchObject({
        GIT_ALLOW_PROTOCOL: 'git',
        GIT_OVERRIDE_VIRTUAL_HOST: 'name.invalid:9418',
      });
    });
  });
});

describe('an SSH key', () => {
  const remote: RemoteAddress = {
    kind: 'ssh',
    url: 'ssh://git@name.invalid:2222/owner/x.git',
    host: 'name.invalid',
    port: 2222,
    addresses: ['192.0.2.1'],
  };

  it('is the only one used, without prompts and with the checked address', () => {
    const text = sshConfiguration({
      ...remote,
      keyFile: '/a "b" 100%/key',
      knownHostsFile: '/data/known_hosts',
    });
    for (const line of [
      'HostName 192.0.2.1',
      'HostKeyAlias [name.invalid]:2222',
      'IdentityFile "/a \\"b\\" 100%%/key"',
      'IdentitiesOnly yes',
      'IdentityAgent none',
      'BatchMode yes',
      'StrictHostKeyChecking accept-new',
      'UserKnownHostsFile "/data/known_hosts"',
      'ProxyCommand none',
    ])
      expect(text).toContain(`  ${line}\n`);
  });

  it('of the service account is not used when the repository has none', () => {
    expect(sshConfiguration({ ...remote, keyFile: null, knownHostsFile: '/x' })).toContain(
      'IdentityFile none\n',
    );
  });

  /** A fake ssh that records its arguments and serves the origin like a real server. */
  it('is in a private file while ssh runs, and git connects through it', async () => {
    const programs = join(origin.parent, 'programs');
    await mkdir(programs);
    const noted = join(origin.parent, 'noted');
    const script = `#!/bin/sh
printf '%s\\n' "$@" > '${noted}'
env > '${noted}.environment'
cat "$2" > '${noted}.configuration'
cat "$(sed -n 's/^ *IdentityFile "\\(.*\\)"$/\\1/p' "$2")" > '${noted}.key'
exec git-upload-pack '${origin.folder}'
`;
    await writeFile(join(programs, 'ssh'), script);
    await chmod(join(programs, 'ssh'), 0o755);
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    configureGit({ path: `${programs}:${path}` });
    try {
      const options = await place.options(origin.folder);
      await cloneMirror({ ...options, remote, credential: { kind: 'ssh_key', privateKey: 'KEY\r\nLINE' } });
    } finally {
      configureGit({ path });
    }
    expect((await listRefs(place.gitDir)).refs).toHaveLength(1);
    const said = readFileSync(noted, 'utf8') + readFileSync(`${noted}.environment`, 'utf8');
    expect(said).toMatch(/^-F\n.*\/ssh-configuration\n/);
    expect(said).toMatch(/git@name\.invalid\ngit-upload-pack '\/owner\/x\.git'/);
    expect(said).not.toContain('KEY');
    expect(readFileSync(`${noted}.key`, 'utf8')).toBe('KEY\nLINE\n');
    expect(readdirSync(place.folder)).toEqual(['mirror.git']);
  });

  it('is accepted by the installed ssh', async () => {
    const { execFileSync } = await import('node:child_process');
    const file = join(origin.parent, 'configuration');
    const settings = {
      ...remote,
      keyFile: join(origin.parent, 'a key'),
      knownHostsFile: join(origin.parent, 'hosts'),
    };
    await writeFile(file, sshConfiguration(settings));
    const read = execFileSync('ssh', ['-G', '-F', file, '-p', '2222', 'git@name.invalid'], {
      encoding: 'utf8',
    });
    for (const line of [
      'hostname 192.0.2.1',
      'user git',
      'port 2222',
      'hostkeyalias [name.invalid]:2222',
      'identitiesonly yes',
      'batchmode yes',
      'stricthostkeychecking accept-new',
      `identityfile ${settings.keyFile}`,
      `userknownhostsfile ${settings.knownHostsFile}`,
    ])
      expect(read.split('\n')).toContain(line);
  });
});

describe('checkCredential', () => {
  const of = (kind: 'https' | 'ssh' | 'git') =>
    ({ kind, url: '', host: '', port: 1, addresses: [] }) as RemoteAddress;
  it.each([
    [of('https'), { kind: 'ssh_key', privateKey: 'x' }],
    [of('ssh'), { kind: 'password', password: 'x' }],
    [of('git'), { kind: 'password', password: 'x' }],
    [
      { kind: 'local', url: '/x' },
      { kind: 'password', password: 'x' },
    ],
    [of('https'), { kind: 'password', password: 'a\nb' }],
  ] as [RemoteAddress, RemoteCredential][])('rejects a mismatch: %j %j', (remote, given) => {
    expect(() => checkCredential(remote, given)).toThrow(expect.objectContaining({ reason: 'credential' }));
  });
});

it('limits the memory that a server can make git allocate', async () => {
  const environment = { GIT_ALLOW_PROTOCOL: 'http', GIT_ALLOC_LIMIT: '8m' };
  server.intercept((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    const line = '001e# service=git-upload-pack\n0000'.concat(
      `003f${'a'.repeat(40)} refs/heads/x${'x'.repeat(8)}\n`.repeat(1000),
    );
    const write = () => {
      while (response.writable && response.write(line));
      response.once('drain', write);
    };
    write();
    return true;
  });
  const listing = runGit(['ls-remote', '--', address()], { extraEnvironment: environment });
  await expect(listing).rejects.toMatchObject({
    reason: 'exit',
    stderrTail: expect.stringMatching(/over limit/),
  });
});

function processes(): { commandLine: string; environment: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((id) => {
      try {
        const read = (file: string) => readFileSync(`/proc/${id}/${file}`, 'utf8');
        return [{ commandLine: read('cmdline'), environment: read('environ') }];
      } catch {
        return [];
      }
    });
}
