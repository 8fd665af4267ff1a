/** Private addresses are recognized in every notation; a name is checked by its address at the time of the connection. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { afterAll, describe, expect, it } from 'vitest';
import { addressOf, hasPrivateHost, isPrivateAddress, publicLookup } from './private-address.ts';

const PRIVATE_IPV4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]; // prettier-ignore
const PUBLIC_IPV4 = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
];

const hex = (address: string) => {
  const [a, b, c, d] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `${a}${b}:${c}${d}`;
};

describe('an address', () => {
  it.each(PRIVATE_IPV4)('%s is private, also inside IPv6', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
    for (const prefix of ['::ffff:', '64:ff9b::', '::', '::ffff:0:', '64:ff9b:1::']) {
      expect(isPrivateAddress(`${prefix}${hex(address)}`), prefix).toBe(true);
      expect(isPrivateAddress(`${prefix}${address}`), prefix).toBe(true);
    }
  });

  it.each(PUBLIC_IPV4)('%s is public, also mapped and through NAT64', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
    expect(isPrivateAddress(`::ffff:${address}`)).toBe(false);
    expect(isPrivateAddress(`64:ff9b::${address}`)).toBe(false);
  });

  it.each([
    '::',
    '::1',
    '::2',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fdff::1',
    'ff02::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '4000::1',
    '8000::1',
    '::127.0.0.1',
  ])('%s is private', (address) => expect(isPrivateAddress(address)).toBe(true));

  it.each(['2606:4700::1111', '2a00:1450:4001::200e', '2003::1'])('%s is public', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  );

  it.each(['', 'localhost', 'example.com', '127.1', '0x7f.1', '1.2.3', '[::1]', ':::'])(
    'what is no address counts as private: %j',
    (text) => expect(isPrivateAddress(text)).toBe(true),
  );

  it('has the same result in every notation, and never fails', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        if (!ipaddr.isValid(text)) return;
        const parsed = ipaddr.parse(text);
        const verdict = isPrivateAddress(text);
        expect(isPrivateAddress(parsed.toNormalizedString())).toBe(verdict);
        expect(isPrivateAddress(text.toUpperCase())).toBe(verdict);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(isPrivateAddress(`::ffff:${text}`)).toBe(isPrivateAddress(text));
        expect(isPrivateAddress(text)).toBe(ipaddr.IPv4.parse(text).range() !== 'unicast');
      }),
    );
  });
});

describe('the host of a URL', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::a00:1]/',
    'http://localhost/',
    'http://LOCALHOST:80/',
  ])('%s is private', async (url) => expect(await hasPrivateHost(new URL(url), 5000)).toBe(true));

  it('is public for a public address', async () => {
    expect(await hasPrivateHost(new URL('https://1.1.1.1/'), 5000)).toBe(false);
    expect(await hasPrivateHost(new URL('https://[2606:4700::1111]/'), 5000)).toBe(false);
  });

  it('is private if one of its addresses is', async () => {
    const both = [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(
      await hasPrivateHost(new URL('https://both.example/'), 5000, (_n, _o, done) => done(null, both)),
    ).toBe(true);
    expect(
      await hasPrivateHost(new URL('https://one.example/'), 5000, (_n, _o, done) =>
        done(null, both.slice(0, 1)),
      ),
    ).toBe(false);
  });

  it('is not private if its name cannot be resolved, or not in time', async () => {
    const missing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    expect(
      await hasPrivateHost(new URL('https://no.example/'), 5000, (_n, _o, done) => done(missing, [])),
    ).toBe(false);
    expect(await hasPrivateHost(new URL('https://no.example/'), 1, () => undefined)).toBe(false);
  });

  it('is read as an address without its brackets', () => {
    expect(addressOf(new URL('http://[::1]:80/'))).toBe('::1');
    expect(addressOf(new URL('http://example.com/'))).toBeUndefined();
  });
});

describe('a connection', () => {
  const server = createServer((_, response) => response.end('inside')).listen(0, '127.0.0.1');
  afterAll(() => server.close());
  const get = (lookup: ReturnType<typeof publicLookup>) =>
    new Promise<string>((settle) => {
      const { port } = server.address() as AddressInfo;
      const call = request({ host: 'rebinding.example', port, lookup, agent: false }, (response) => {
        response.resume().on('end', () => settle('connected'));
      });
      call.on('error', (error: NodeJS.ErrnoException) => settle(String(error.code)));
      call.end();
    });

  it('is not made to a name that had a public address before and has a private one now', async () => {
    let asked = 0;
    const rebinding = publicLookup((_name, _options, done) => {
      asked += 1;
      done(null, [{ address: asked === 1 ? '1.1.1.1' : '127.0.0.1', family: 4 }]);
    });
    await new Promise<void>((settle) => rebinding('rebinding.example', { all: true }, () => settle()));
    expect(await get(rebinding)).toBe('PRIVATE_ADDRESS');
    expect(asked).toBe(2);
  });

  it('fails like the resolution of its name', async () => {
    const missing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    expect(await get(publicLookup((_n, _o, done) => done(missing, [])))).toBe('ENOTFOUND');
    expect(await get(publicLookup((_n, _o, done) => done(null, [])))).toBe('undefined');
  });
});
