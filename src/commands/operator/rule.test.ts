/** `countersign rule` in this process: set, list and remove. */
import { expect, it } from 'vitest';
import { startOperatorCommands } from '../../../test/helpers/processes/operator-commands.ts';
import { makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { ruleList, ruleRemove, ruleSet } from './rule.ts';

const { acme, db, run } = await startOperatorCommands();
await makeRepositoryRow({ db, clock: systemClock }, acme.id, {
  name: 'acme/api',
});

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
