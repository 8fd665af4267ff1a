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

/** The arguments that a shell passes to `curl`, which is replaced by a script that prints them; one shell runs all commands. */
function wordsOf(commands: string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\1\\0'; }; ${commands.join('\n')}`;
  const env = { COUNTERSIGN_API_KEY: 'csk_x', COUNTERSIGN_SESSION: 'sess' };
  const output = execFileSync('/bin/sh', { input: script, encoding: 'utf8', env, maxBuffer: 100_000_000 });
  return output
    .split('\x01\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

const commandOf = (path: string, method: string) =>
  curlCommand(method, path, document.paths[path]![method]!, document);
const commandFor = (path: string, method: string) => wordsOf([commandOf(path, method)])[0]!;

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
    const commands = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => commandOf(path, method)),
    );
    const all = wordsOf(commands);
    expect(all).toHaveLength(commands.length);
    const bodies = all.flatMap((words) => (words.includes('-d') ? [words[words.indexOf('-d') + 1]!] : []));
    expect(bodies.length).toBeGreaterThan(50);
    for (const body of bodies) expect(() => JSON.parse(body)).not.toThrow();
  });
});
