import { expect, it } from 'vitest';
import { chooseProxy, parseException, parseProxy } from './proxy-rules.ts';

const https = new URL('http://secure.example:3128');
const http = new URL('http://plain.example:3128');
const via = (url: string, noProxy: string) =>
  chooseProxy(
    { https, http, exceptions: noProxy.split(' ').map((entry) => parseException(entry)!) },
    new URL(url),
  )?.hostname;

it.each([
  ['https://example.com/', 'other.example', 'secure.example'],
  ['http://example.com/', 'other.example', 'plain.example'],
  ['https://example.com/', 'example.com', undefined],
  ['https://EXAMPLE.com./', 'Example.COM', undefined],
  ['https://git.example.com/', 'example.com', undefined],
  ['https://git.example.com/', '.example.com', undefined],
  ['https://git.example.com/', '*.example.com', undefined],
  ['https://notexample.com/', 'example.com', 'secure.example'],
  ['https://example.com:8443/', 'example.com:8443', undefined],
  ['https://example.com/', 'example.com:443', undefined],
  ['https://example.com/', 'example.com:8443', 'secure.example'],
  ['https://10.1.2.3/', '10.0.0.0/8', undefined],
  ['https://11.1.2.3/', '10.0.0.0/8 11.1.2.4', 'secure.example'],
  ['https://11.1.2.3/', '11.1.2.3', undefined],
  ['https://[2001:db8::1]/', '2001:db8::/32', undefined],
  ['https://[2001:db8::1]/', '[2001:db8::1]', undefined],
  ['https://[2001:db8::1]/', '10.0.0.0/8', 'secure.example'],
  ['https://[::ffff:10.1.2.3]/', '10.0.0.0/8', undefined],
  ['https://example.com/', '*', undefined],
  ['https://localhost/', 'other.example', undefined],
  ['http://127.0.0.2:11434/', 'other.example', undefined],
  ['https://[::1]/', 'other.example', undefined],
  ['ssh://example.com/', 'other.example', undefined],
])('%s with NO_PROXY=%s goes through %s', (url, noProxy, expected) => {
  expect(via(url, noProxy)).toBe(expected);
});

it.each(['10.0.0.0/33', 'a/b', 'https://example.com', '-x', '1.2.3.4/8/9', 'fe80::1%eth0'])(
  'has no meaning for %s in NO_PROXY',
  (entry) => expect(parseException(entry)).toBeUndefined(),
);

it.each([
  ['proxy.example:3128', 'http://proxy.example:3128/'],
  ['https://me:a%40b@proxy.example', 'https://me:a%40b@proxy.example/'],
  ['socks5://proxy.example', undefined],
  ['http://proxy.example/path', undefined],
  ['http://', undefined],
  ['http://me:%zz@proxy.example', undefined],
])('reads %s', (text, expected) => {
  expect(parseProxy(text)?.href).toBe(expected);
});
