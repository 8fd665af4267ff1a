/** Copied curl commands call the right endpoint, as a real shell parses them. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../operations.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import type { OpenApiDocument } from '../openapi/openapi-types.ts';
import { curlCommand } from './curl-command.ts';

const document = openApiDocument(
  operations as never,
  { baseUrl: 'https://review.acme.test', version: '1.0.0' },
  { agentVendors: ['codex'] },
) as OpenApiDocument;

/** The arguments that a shell passes to `curl`, which is replaced by a script that prints them. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${command}`;
  const env = { COUNTERSIGN_API_KEY: 'csk_x', COUNTERSIGN_SESSION: 'sess' };
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

function commandFor(path: string, method: string): string[] {
  return wordsOf(curlCommand(method, path, document.paths[path]![method]!, document));
}

describe('curlCommand', () => {
  it('sends the example body and the key', () => {
    const words = commandFor('/api/v2/plans', 'post');
    expect(words.slice(0, 5)).toEqual([
      '-X',
      'POST',
      'https://review.acme.test/api/v2/plans',
      '-H',
      'x-api-key: csk_x',
    ]);
    const body = JSON.parse(words[words.indexOf('-d') + 1]!);
    expect(body.content).toContain('\n');
  });

  it('fills in path parameters and required query parameters', () => {
    const [address] = commandFor('/api/v2/plans/{seriesId}', 'get');
    expect(address).toBe('https://review.acme.test/api/v2/plans/0198c1f2-7a3b-7c4d-8e5f-0123456789ab');
  });

  it('sends the session where no key is accepted, and nothing to public endpoints', () => {
    expect(commandFor('/api/v2/plans', 'get')).toContain('__Host-countersign=sess');
    expect(commandFor('/api/v2/setup', 'get').join(' ')).not.toMatch(/-b|-H/);
  });

  it('quotes every body so that the shell leaves it unchanged', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        const words = commandFor(path, method);
        const at = words.indexOf('-d');
        if (at >= 0) expect(() => JSON.parse(words[at + 1]!)).not.toThrow();
      }
    }
  });
});
