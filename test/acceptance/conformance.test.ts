/** The official conformance suite, as a real process, against the service with the suite's fixtures beside our tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cleanUp } from '../helpers/processes/real-processes.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { conformanceFixtures } from './conformance-fixtures.ts';
import { startKeyProxy } from './key-proxy.ts';
import { SUITE, startSuite } from './suite-process.ts';

const NEEDS_A_SESSION =
  'sends a request to the client during a call, whose reply is a separate request; we keep no sessions and send no requests';

/** Expected failures in each generation, with the reason. */
const EXPECTED_FAILURES: Record<string, Record<string, string>> = {
  '2025-11-25': {
    'tools-call-sampling': NEEDS_A_SESSION,
    'tools-call-elicitation': NEEDS_A_SESSION,
    'elicitation-sep1034-defaults': NEEDS_A_SESSION,
    'elicitation-sep1330-enums': NEEDS_A_SESSION,
  },
  '2026-07-28': {},
};

const service = await startTestService({ mcpFixtures: conformanceFixtures });
const url = await startKeyProxy(service.url, service.acme.member.key);
afterAll(cleanUp);

/** The scenarios that a generation of the protocol requires of servers. */
function requiredScenarios(generation: string): string[] {
  const text = readFileSync(join(SUITE, 'requirements', `${generation}.yaml`), 'utf8');
  const section = /^server:\n((?: {2}- .*\n)+)/m.exec(text)![1]!;
  return [...section.matchAll(/- (\S+)/g)].map((match) => match[1]!);
}

it.each(Object.keys(EXPECTED_FAILURES))(
  'passes all that %s requires, but for what is named',
  async (generation) => {
    const required = requiredScenarios(generation);
    expect(required.length).toBeGreaterThanOrEqual(30);
    const words = ['server', '--url', `${url}/mcp`, '--requirements', generation];
    const checks = await startSuite(words).checks;
    expect(required.filter((scenario) => !checks.has(scenario))).toEqual([]);
    const failuresOf = (scenario: string) =>
      checks.get(scenario)!.filter(({ status }) => status === 'FAILURE');
    const failed = required.filter((scenario) => failuresOf(scenario).length > 0);
    const said = failed.flatMap(failuresOf).map(({ errorMessage, id }) => `${id}: ${errorMessage}`);
    expect(failed.toSorted(), said.join('\n')).toEqual(
      Object.keys(EXPECTED_FAILURES[generation]!).toSorted(),
    );
  },
);
