/** Whatever an agent registers, the browser is only sent to HTTPS, to this computer, or to the scheme of a program. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applicationTypeFor, describeRedirect, redirectFault } from './redirect-address.ts';

const schemes = fc.constantFrom(
  ...[
    'https:',
    'http:',
    'javascript:',
    'JavaScript:',
    'data:',
    'file:',
    'blob:',
    'view-source:',
    'vbscript:',
  ],
  ...['cursor:', 'vscode-insiders:', 'com.example.app:', 'about:', 'ws:', ' https:', '\tjavascript:'],
);
const hosts = fc.constantFrom(
  ...[
    'localhost',
    '127.0.0.1',
    '[::1]',
    '127.0.0.2',
    'localhost.evil.example',
    'evil.example',
    'x@localhost',
  ],
  ...['localhost:80', '2130706433', 'LOCALHOST', 'localhost\\@evil.example', '127.0.0.1%2eevil.example', ''],
);
const addresses = fc
  .tuple(schemes, fc.constantFrom('//', '/', '', '\\\\'), hosts, fc.string({ maxLength: 5 }))
  .map((parts) => parts.join(''));

describe('an address that is accepted', () => {
  it('is read the same by every parser: it contains nothing that parsers drop or change', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        fc.pre(redirectFault(address) === undefined);
        expect(address).toMatch(/^[\x21-\x7e]+$/);
        expect(address).not.toContain('#');
      }),
    );
  });

  it('is https, or http on this computer, or none of the schemes of browsers', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        fc.pre(redirectFault(address) === undefined);
        const { hostname, protocol } = new URL(address);
        const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
        const own = ['cursor:', 'vscode-insiders:', 'com.example.app:'].includes(protocol);
        expect(protocol === 'https:' || (protocol === 'http:' && loopback) || own).toBe(true);
      }),
    );
  });

  it('can be described and sorted', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        fc.pre(redirectFault(address) === undefined);
        expect(describeRedirect(address).returnsTo).not.toBe('');
        expect(['native', 'web']).toContain(applicationTypeFor([address]));
      }),
    );
  });
});

describe('a scheme', () => {
  it.each(
    'cursor cursor-nightly vscode vscode-insiders vscodium windsurf windsurf-next claude claudecode codex warp zed kiro goose raycast jetbrains operator research chromatic msagent com.example.app app.example'.split(
      ' ',
    ),
  )('of an agent is accepted: %s', (scheme) => {
    for (const rest of [':/callback', '://oauth/callback', '://callback?server=mine']) {
      expect(redirectFault(scheme + rest)).toBeUndefined();
    }
  });

  it.each(
    `microsoft-edge microsoft-edge-holographic googlechrome googlechromes googlechrome-x-callback x-safari-https x-man-page
    firefox firefox-focus brave opera opera-http touch-https touch-url web+agent ms-msdt ms-settings ms-word MS-Officecmd search
    search-ms res jar chrome chrome-extension moz-extension resource shell intent itms itms-services itmss market callto skype
    applescript shortcuts apt feed webcal ssh telnet ldap smb matrix sip magnet httpx`.split(/\s+/),
  )('that browsers or the system handle is rejected: %s', (scheme) => {
    for (const rest of [':/id', '://evil.example/', ':evil.example']) {
      expect(redirectFault(scheme + rest)).toMatch(/^must not use the scheme /);
    }
  });

  it('of an agent does not contain a web address', () => {
    const carrying = [
      'x.y:https://evil.example',
      'x.y://HTTPS%3a//evil.example',
      'x.y:/?url=http:/evil.example',
    ];
    for (const address of carrying) {
      expect(redirectFault(address)).toBe('must not contain a web address when using a custom scheme');
    }
    expect(redirectFault('https://agent.example/?next=https://agent.example/')).toBeUndefined();
  });
});

it.each([
  ['https://agent.example:8443/cb', 'agent.example:8443', false],
  ['http://127.0.0.1:33418/cb', '127.0.0.1', true],
  ['http://localhost:1/cb', 'localhost', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://anysphere.cursor-mcp', true],
  ['vscode:/callback', 'vscode:', true],
])('%s is shown as %s', (address, returnsTo, isLocal) => {
  expect(redirectFault(address)).toBeUndefined();
  expect(describeRedirect(address)).toEqual({ returnsTo, isLocal });
});
