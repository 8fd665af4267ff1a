import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import { nameFromAddress, parseRemote } from './parse-remote.ts';
import { checkRemoteAddress } from './remote-address.ts';
import { RemoteRefused } from './remote-refused.ts';

const PUBLIC = '93.184.215.14';
const strict = { allowLocal: false, allowPrivateAddresses: false, resolve: async () => [PUBLIC] };

describe('checkRemoteAddress', () => {
  it.each([
    ['https://example.com/owner/name.git', 'https', 443, 'https://example.com/owner/name.git'],
    ['HTTPS://Example.com:8443/owner/name', 'https', 8443, 'https://example.com:8443/owner/name'],
    ['ssh://git@example.com/owner/name', 'ssh', 22, 'ssh://git@example.com/owner/name'],
    ['ssh://example.com:2222/~me/name', 'ssh', 2222, 'ssh://example.com:2222/~me/name'],
    ['git@example.com:owner/name.git', 'ssh', 22, 'git@example.com:owner/name.git'],
    ['example.com:name', 'ssh', 22, 'example.com:name'],
    ['git://example.com/name.git', 'git', 9418, 'git://example.com/name.git'],
    ['  https://example.com/a b.git ', 'https', 443, 'https://example.com/a%20b.git'],
    ['https://bücher.example/a/b', 'https', 443, 'https://xn--bcher-kva.example/a/b'],
  ])('accepts %s', async (text, kind, port, url) => {
    expect(await checkRemoteAddress(text, strict)).toMatchObject({ kind, port, url, addresses: [PUBLIC] });
  });

  it.each([
    ['', 'syntax'],
    ['owner/name', 'syntax'],
    ['./name', 'syntax'],
    ['../name', 'syntax'],
    ['-upload-pack=touch x', 'syntax'],
    ['--upload-pack=touch x', 'syntax'],
    ['--output=x', 'syntax'],
    ['ext::sh -c touch% x', 'transport'],
    ['fd::17', 'transport'],
    ['https::https://example.com/x', 'transport'],
    ['::x', 'transport'],
    ['ftp://example.com/x', 'transport'],
    ['git+ssh://example.com/x', 'transport'],
    ['http://example.com/x', 'transport'],
    ['https://me:secret@example.com/x', 'credential_in_address'],
    ['https://token@example.com/x', 'credential_in_address'],
    ['ssh://me:secret@example.com/x', 'credential_in_address'],
    ['https://example.com/x?private_token=secret', 'syntax'],
    ['https://example.com/x#y', 'syntax'],
    ['https://example.com', 'syntax'],
    ['https://example.com/', 'syntax'],
    ['ssh://-oProxyCommand=x/y', 'syntax'],
    ['ssh://-oProxyCommand=x@example.com/y', 'syntax'],
    ['ssh://%2doProxyCommand@example.com/y', 'syntax'],
    ['-oProxyCommand=x:y', 'syntax'],
    ['git@-oProxyCommand=x:y', 'syntax'],
    ['-x@example.com:y', 'syntax'],
    ['git@example.com:-x', 'syntax'],
    ['git@[::1]:x', 'syntax'],
    ['https://exa mple.com/x', 'syntax'],
    ['https://example.com/a\nb', 'syntax'],
    ['https://example.com/\u0000', 'syntax'],
    ['file:///etc', 'local'],
    ['/etc', 'local'],
    ['file://host/etc', 'syntax'],
    ['C:\\repositories\\x', 'syntax'],
  ])('rejects %j', async (text, reason) => {
    const refusal = await checkRemoteAddress(text, strict).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RemoteRefused);
    expect(refusal).toMatchObject({ reason, message: expect.stringMatching(/^\S.{20,}\.$/) });
    expect((refusal as Error).message).not.toContain('secret');
  });

  it.each([
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://169.254.169.254/latest',
    'ssh://git@10.0.0.1/x',
    'git@192.168.0.1:x',
    'git://[fe80::1]/x',
  ])('rejects the private address of %s', async (text) => {
    const refusal = checkRemoteAddress(text, { ...strict, resolve: undefined });
    await expect(refusal).rejects.toMatchObject({ reason: 'private_address' });
    const rules = { ...strict, resolve: undefined, allowPrivateAddresses: true };
    expect(await checkRemoteAddress(text, rules)).toMatchObject({ addresses: [expect.any(String)] });
  });

  it('rejects a name when any of its addresses is private', async () => {
    const resolve = async () => [PUBLIC, '10.1.2.3'];
    const refusal = checkRemoteAddress('https://example.com/x', { ...strict, resolve });
    await expect(refusal).rejects.toMatchObject({ reason: 'private_address' });
  });

  it('rejects localhost by its address', async () => {
    const refusal = checkRemoteAddress('ssh://localhost/x', { ...strict, resolve: undefined });
    await expect(refusal).rejects.toMatchObject({ reason: 'private_address' });
  });

  it('reports a name without an address', async () => {
    const refusal = checkRemoteAddress('https://example.com/x', { ...strict, resolve: async () => [] });
    await expect(refusal).rejects.toMatchObject({ reason: 'unknown_host' });
  });

  it('accepts plain http when private addresses are allowed', async () => {
    const remote = await checkRemoteAddress('http://example.com/x', {
      ...strict,
      allowPrivateAddresses: true,
    });
    expect(remote).toMatchObject({ kind: 'http', port: 80 });
  });

  it('accepts local folders when they are allowed, as path or URL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign with space-'));
    const rules = { ...strict, allowLocal: true };
    expect(await checkRemoteAddress(folder, rules)).toEqual({ kind: 'local', url: folder });
    const url = `file://${folder.replaceAll(' ', '%20')}`;
    expect(await checkRemoteAddress(url, rules)).toEqual({ kind: 'local', url: folder });
    await rm(folder, { recursive: true });
    await expect(checkRemoteAddress(folder, rules)).rejects.toMatchObject({ reason: 'not_there' });
  });

  it('rejects the data folder of the service, even through a link', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'countersign-own-'));
    const [own, inside, beside] = [join(parent, 'data'), join(parent, 'data/a.git'), join(parent, 'data-b')];
    await mkdir(inside, { recursive: true });
    await mkdir(beside);
    await symlink(own, join(parent, 'link'));
    const rules = { ...strict, allowLocal: true, ownFolder: join(parent, 'link') };
    for (const path of [own, inside, join(parent, 'link/a.git'), `file://${inside}`]) {
      await expect(checkRemoteAddress(path, rules)).rejects.toMatchObject({ reason: 'local' });
    }
    expect(await checkRemoteAddress(beside, rules)).toEqual({ kind: 'local', url: beside });
    await rm(parent, { recursive: true });
  });
});

describe('parseRemote', () => {
  it('passes git only a known protocol, a valid host name, or an absolute path', () => {
    const piece = fc.constantFrom(
      '-',
      '::',
      '://',
      ':',
      '/',
      '@',
      'ext',
      'ssh',
      'https',
      'host',
      '..',
      '%2d',
      ' ',
      '[',
      ']',
      '?',
    );
    const given = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(piece, { maxLength: 9 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(given, (text) => {
        let url: string;
        try {
          ({ url } = parseRemote(text));
        } catch (error) {
          expect(error).toBeInstanceOf(RemoteRefused);
          return;
        }
        expect(url).toMatch(
          /^(?:(?:https|http|git):\/\/[\w[]|ssh:\/\/(?:\w[\w.+-]*@)?[\w[]|(?:\w[\w.+-]*@)?\w[\w.-]*:[^-]|\/)/,
        );
        expect(url).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe('nameFromAddress', () => {
  it.each([
    ['https://example.com/owner/name.git', 'owner/name'],
    ['https://example.com/group/owner/name/', 'owner/name'],
    ['git@example.com:owner/name.git', 'owner/name'],
    ['git@example.com:name', 'name'],
    ['/srv/git/name.git', 'git/name'],
    ['/home/me/project/.git', 'me/project'],
    ['/', null],
    ['https://example.com/a%20b/größe', 'a-b/gr-e'],
    ['https://example.com/owner/name.js', 'owner/name.js'],
  ])('of %s is %s', (text, name) => {
    expect(nameFromAddress(text)).toBe(name);
  });
});
