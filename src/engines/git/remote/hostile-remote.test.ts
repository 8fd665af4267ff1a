/** Malicious remotes: servers that redirect, lie, hang or never finish, and repositories that try to run programs. */
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FixtureRepository,
  makeRepository,
  oddFiles,
} from '../../../../test/helpers/git/git-fixtures.ts';
import { type MirrorPlace, makeMirrorPlace } from '../../../../test/helpers/git/mirror-location.ts';
import { type GitServer, startGitServer } from '../../../../test/helpers/servers/git-server.ts';
import { explainGitFailure, type GitFailure } from '../run/git-failure.ts';
import { listRefs } from '../run/refs.ts';
import { cloneMirror, fetchMirror, type MirrorOptions } from './mirror.ts';

let place: MirrorPlace;
let origin: FixtureRepository;
let server: GitServer;
beforeEach(async () => {
  place = await makeMirrorPlace();
  origin = await makeRepository(oddFiles());
  server = await startGitServer({ folder: origin.parent });
});
afterEach(async () => {
  await server.close();
  await origin.remove();
  await place.remove();
});

const address = () => `${server.url}/${origin.name}`;

async function failClone(limits: Partial<MirrorOptions> = {}): Promise<GitFailure> {
  const failure = await cloneMirror({ ...(await place.options(address())), ...limits }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeDefined();
  expect(readdirSync(place.folder)).toEqual([]);
  return failure as GitFailure;
}

describe('a server', () => {
  it('that redirects elsewhere is not followed', async () => {
    const elsewhere = await startGitServer({ folder: origin.parent });
    server.intercept((request, response) => {
      response.writeHead(302, { location: `${elsewhere.url}${request.url}` }).end();
      return true;
    });
    expect(explainGitFailure(await failClone())).toMatch(/redirects to another address/);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('that redirects only the second request is not followed', async () => {
    const elsewhere = await startGitServer({ folder: origin.parent });
    server.intercept((request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(307, { location: `${elsewhere.url}${request.url}` }).end();
      return true;
    });
    await failClone();
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('with the dumb protocol that names alternates elsewhere is not followed', async () => {
    const elsewhere = await startGitServer({ folder: origin.parent });
    server.intercept((request, response) => {
      const path = request.url!;
      if (path.includes('/info/refs')) response.end(`${'a'.repeat(40)}\trefs/heads/main\n`);
      else if (path.endsWith('alternates')) response.end(`${elsewhere.url}/${origin.name}/objects\n`);
      else response.writeHead(404).end();
      return true;
    });
    await failClone();
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it.each([
    ['garbage', 'application/x-git-upload-pack-advertisement', 'no packet at all'],
    ['a page', 'text/html', '<html>\n<p>hello\n</html>\n'],
    ['nothing', 'application/x-git-upload-pack-advertisement', ''],
    ['a packet that is cut', 'application/x-git-upload-pack-advertisement', '00ff# service'],
  ])('that answers %s fails', async (_what, type, body) => {
    server.intercept((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    });
    expect(explainGitFailure(await failClone())).toMatch(/\.$/);
  });

  it('that sends garbage instead of objects fails', async () => {
    const isFetch = fetchRequests();
    server.intercept((request, response) => {
      if (!isFetch(request)) return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.end('000dpackfile\n0010\x01garbage....0000');
      return true;
    });
    expect((await failClone()).reason).toBe('exit');
  });

  it('that never answers times out', async () => {
    server.intercept(() => true);
    expect((await failClone({ firstAnswerTimeoutMs: 400 })).reason).toBe('stalled');
  });

  it('that answers and then stops sending times out', async () => {
    const isFetch = fetchRequests();
    server.intercept((request, response) => {
      if (!isFetch(request)) return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.write('000dpackfile\n0016\x02Counting objects\n');
      return true;
    });
    const limits = { firstAnswerTimeoutMs: 60_000, quietTimeoutMs: 400 };
    expect((await failClone(limits)).reason).toBe('stalled');
  });

  it.each(['git', 'ssh', 'http'])(
    'that accepts a connection over %s and stays silent times out',
    async (protocol) => {
      const sockets = new Set<Socket>();
      const silent = createServer((socket) => void sockets.add(socket));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      const url = `${protocol}://127.0.0.1:${port}/repository.git`;
      const cloning = cloneMirror({ ...(await place.options(url)), firstAnswerTimeoutMs: 400 });
      await expect(cloning).rejects.toMatchObject({ reason: 'stalled' });
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    },
  );

  it('that never stops sending is stopped at the limit', async () => {
    const isFetch = fetchRequests();
    server.intercept((request, response) => {
      if (!isFetch(request)) return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      sendEndlessPack(response);
      return true;
    });
    const failure = await failClone({ maxBytes: 20_000_000 });
    expect(failure.reason).toBe('too_much_output');
  });

  it('that writes control sequences does not get them into the log', async () => {
    server.intercept((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('\x1b]0;title\x07\x1b[2J\u202Eevil');
      return true;
    });
    expect((await failClone()).stderrTail).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
  });
});

describe('the server of an existing mirror', () => {
  it('that temporarily serves an empty page does not empty the mirror', async () => {
    await cloneMirror(await place.options(address()));
    const before = await listRefs(place.gitDir);
    server.intercept((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>We are back soon.</html>');
      return true;
    });
    const failure = (await fetchMirror(await place.options(address())).catch(
      (error: unknown) => error,
    )) as GitFailure;
    expect(explainGitFailure(failure)).toMatch(/no longer lists any branches/);
    expect(await listRefs(place.gitDir)).toEqual(before);
  });
});

describe('a repository', () => {
  it('whose configuration, hooks and attributes name programs runs none of them', async () => {
    const ran = join(origin.parent, 'ran');
    const program = join(origin.parent, 'program');
    await writeFile(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    for (const hook of [
      'post-checkout',
      'reference-transaction',
      'post-update',
      'pre-auto-gc',
      'proc-receive',
    ])
      await writeFile(join(origin.folder, 'hooks', hook), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
    const settings = [
      `[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}\n\tpager = ${program}\n\taskPass = ${program}`,
      `\tgitProxy = ${program}\n\talternateRefsCommand = ${program}\n\teditor = ${program}`,
      `[uploadpack]\n\tpackObjectsHook = ${program}\n[credential]\n\thelper = !${program}`,
      `[filter "hostile"]\n\tsmudge = ${program}\n\tclean = ${program}\n\tprocess = ${program}`,
      `[diff]\n\texternal = ${program}\n[gpg]\n\tprogram = ${program}`,
      `[remote "origin"]\n\turl = ext::${program}\n\tpromisor = true\n\tuploadpack = ${program}`,
      `[extensions]\n\tpartialClone = origin\n`,
    ];
    await appendFile(join(origin.folder, 'config'), settings.join('\n'));
    await cloneMirror(await place.options(origin.folder));
    const next = await origin.commit({ b: 'b' });
    expect(existsSync(ran), 'the programs run under an unprotected git').toBe(true);
    await rm(ran);
    await fetchMirror(await place.options(origin.folder));
    expect(await listRefs(place.gitDir)).toMatchObject({ headCommit: next });
    expect(existsSync(ran)).toBe(false);
  });

  it('with branch and tag names that look like options and paths is mirrored unchanged', async () => {
    const names = [
      '--output=x',
      '-upload-pack=touch',
      'HEAD',
      'a;touch',
      '$(touch)',
      "'",
      'refs/heads/main',
      '@',
      '-',
    ];
    const commit = await origin.git('rev-parse', 'main');
    const refs = names.flatMap((name) => [`refs/heads/${name}`, `refs/tags/${name}`]);
    for (const ref of refs) await origin.git('update-ref', ref, commit);
    await cloneMirror(await place.options(address()));
    await fetchMirror(await place.options(address()));
    const found = (await listRefs(place.gitDir)).refs.map(
      ({ name, kind }) => `refs/${kind === 'tag' ? 'tags' : 'heads'}/${name}`,
    );
    expect(found.sort()).toEqual([...refs, 'refs/heads/main'].sort());
  });
});

/** True for the request for objects: the first POST only lists refs. */
function fetchRequests(): (request: IncomingMessage) => boolean {
  let posts = 0;
  return (request) => {
    if (request.method === 'POST') posts += 1;
    return posts > 1;
  };
}

/** A pack with one endless object, in protocol packets. */
function sendEndlessPack(response: ServerResponse): void {
  const header = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 1])]);
  // The header of a blob of 2^46 bytes, then stored zlib blocks.
  const object = Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 0x78, 0x01]);
  const block = Buffer.concat([Buffer.from([0x00, 0xff, 0x7f, 0x00, 0x80]), Buffer.alloc(0x7fff, 'x')]);
  response.write('000dpackfile\n');
  const packet = (content: Buffer) =>
    Buffer.concat([
      Buffer.from(`${(content.length + 5).toString(16).padStart(4, '0')}\x01`, 'latin1'),
      content,
    ]);
  response.write(packet(Buffer.concat([header, object])));
  const piece = packet(block);
  const write = () => {
    while (response.writable && response.write(piece));
    response.once('drain', write);
  };
  write();
}
