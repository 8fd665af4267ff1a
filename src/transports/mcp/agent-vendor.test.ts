/** Recognizing the agent client by name. */
import { expect, it } from 'vitest';
import { vendorNamedBy } from './agent-vendor.ts';

const VENDORS = ['claude-code', 'codex', 'cursor'];

it.each([
  ['claude-code', 'claude-code'],
  ['claude-code/2.1.4 (external, cli)', 'claude-code'],
  ['Claude Code', 'claude-code'],
  ['codex-mcp-client', 'codex'],
  ['codex_cli_rs/0.50.0 (Ubuntu 24.4.0; x86_64)', 'codex'],
  ['Cursor', 'cursor'],
  ['cursor-vscode', 'cursor'],
  ['Cursor/2.2.0 (linux x64)', 'cursor'],
])('%s is %s', (text, vendor) => {
  expect(vendorNamedBy(text, VENDORS)).toBe(vendor);
});

it.each([null, '', 'node', 'claude-ai', 'cursory/1', 'codexes', 'my-cursor', 'mcp-inspector'])(
  '%j is no vendor',
  (text) => {
    expect(vendorNamedBy(text, VENDORS)).toBeUndefined();
  },
);

it('prefers the longer name where the operator allows both', () => {
  expect(vendorNamedBy('codex-cloud/1', ['codex', 'codex-cloud'])).toBe('codex-cloud');
});
