/** `countersign rule` in this process: set, list and remove. */
import { afterAll, expect, it, vi } from 'vitest';
import { createTestDatabase, urlOf } from '../../../test/helpers/database/database.ts';
import { temporaryDataDir } from '../../../test/helpers/git/mirrors.ts';
import { makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { makeOrganization } from '../../../test/helpers/service/factories.ts';
import { readConfig } from '../../config.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { openDatabase } from '../../platform/db/index.ts';
import type { Command } from '../command.ts';
import { ruleList, ruleRemove, ruleSet } from './rule.ts';

const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 4, onConnectionLost: () => undefined });
const { db } = database;
const acme = await makeOrganization(db, 'Acme', new Date());
const config = readConfig({ DATA_DIR: temporaryDataDir(), DATABASE_URL: urlOf(connection) });
await makeRepositoryRow({ db, clock: { ...systemClock, advance: () => undefined } }, acme.id, {
  name: 'acme/api',
});

let printed = '';
const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
  printed += String(text);
  return true;
});
afterAll(async () => {
  output.mockRestore();
  await database.close();
});

async function run(command: Command, options: Record<string, string | true> = {}): Promise<string> {
  printed = '';
  await command.run({
    ...{ config, options, environment: {}, setExitCode: () => undefined },
    log: createLog({ level: 'silent', terminal: false }),
    stopped: new AbortController().signal,
  });
  return printed;
}

it('sets, lists and removes a rule, and refuses what makes no sense', async () => {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', acme.admin.userId)
    .executeTakeFirstOrThrow();
  const scope = { pattern: 'release/*', repository: 'api' };
  await run(ruleSet, { ...scope, approvals: '2', owners: true, statuses: `ci/build=${email},bot; lint=bot` });
  expect(JSON.parse(await run(ruleList, { json: true }))).toEqual([
    {
      ...{ repository: 'acme/api', pattern: 'release/*', approvals: '2', owners: 'yes', resolved: 'no' },
      ...{ statuses: 'ci/build lint', plan: 'no', merge: 'member' },
    },
  ]);
  const audited = db
    .selectFrom('audit_events')
    .select(['action', 'actor_kind'])
    .where('action', 'like', 'merge_rule.%');
  expect(await audited.execute()).toEqual([{ action: 'merge_rule.created', actor_kind: 'operator' }]);
  for (const options of [
    { pattern: 'a?' },
    { pattern: 'a', approvals: 'two' },
    { pattern: 'a', statuses: 'ci' },
    { pattern: 'a', 'merge-role': 'nobody' },
    { pattern: 'a', 'merge-people': 'nobody@acme.example' },
    { pattern: 'a', repository: 'unknown' },
  ] as Record<string, string>[])
    await expect(run(ruleSet, options)).rejects.toMatchObject({ name: 'StartFailure' });
  await run(ruleRemove, scope);
  expect(await run(ruleList)).toContain('No merge rules');
  await expect(run(ruleRemove, scope)).rejects.toThrow('no merge rule for release/*');
});
