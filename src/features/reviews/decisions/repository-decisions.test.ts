/** Dismissals and guidelines in the files of a repository: how often they are read, and that nobody gets those of another commit. */
import { expect, it, vi } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { DECISION_FOLDER, writeDecisionFile } from './decision-file.ts';
import { readRepositoryDecisions } from './repository-decisions.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, mirrors } = service;
const as = withSession(acme.member);
const call = () => ({
  caller: { organizationId: acme.id, userId: acme.member.userId, credentialId: 'test' },
  signal: AbortSignal.timeout(60_000),
});

const decision = (digit: string, note = '') =>
  writeDecisionFile({
    ...{ key: digit.repeat(32), scope: 'repository', reason: 'intended', check: 'other', claim: 'other' },
    ...{ subject: 'a', path: 'a.ts', quote: 'a', decidedBy: 'Ada', note },
  });
const keysAt = async (repositoryId: string, commit: string) =>
  (await readRepositoryDecisions(mirrors.code, repositoryId, commit, call())).decisions.map(
    ({ key }) => key[0],
  );

/** How often files whose path begins so were read since it was called. */
function countReads() {
  const spy = vi.spyOn(mirrors.code, 'readTexts');
  return (start: string) =>
    spy.mock.calls.filter(([, { files }]) => files.some(({ path }) => path.startsWith(start))).length;
}

it('are read once for all reports of a review', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`${DECISION_FOLDER}${n}.md`, decision('a')]),
  );
  const repository = await addRepository(service, { ...files, 'AGENTS.md': 'Use tabs.\n' });
  const lines = Array.from({ length: 12 }, (_, n) => `export const value${n} = ${n};\n`).join('');
  await repository.commit({ 'a.ts': lines }, { branch: 'b', from: 'main' });
  await repository.refresh();
  const reads = countReads();
  const body = { repository: repository.fullName, branch: 'b' };
  const { runId } = (await service.request('POST', '/api/v2/agent-reviews', { as, body })).body;
  for (let line = 1; line <= 12; line += 1) {
    const finding = {
      ...{ file: 'a.ts', line, quote: `value${line - 1} = `, claim: 'other', subject: `value${line - 1}` },
      ...{ title: `Number ${line}`, scenario: `Callers that read value${line - 1} get the wrong number.` },
    };
    const path = `/api/v2/agent-reviews/${runId}/findings`;
    expect((await service.request('POST', path, { as, body: finding })).body.status).toBe('accepted');
  }
  await service.request('POST', `/api/v2/agent-reviews/${runId}/finish`, { as, body: { lookedAt: [] } });
  expect(reads(DECISION_FOLDER)).toBe(1);
  expect(reads('AGENTS.md')).toBe(1);
});

it('are those of the commit, whatever was read before', async () => {
  const repository = await addRepository(service, {
    [`${DECISION_FOLDER}one.md`]: decision('a'),
    // Neither is a dismissal.
    [`${DECISION_FOLDER}folder/two.md`]: decision('c'),
    [`${DECISION_FOLDER}three.txt`]: decision('d'),
  });
  const other = await addRepository(service, { 'a.ts': '' });
  const first = await repository.git('rev-parse', 'main');
  const second = await repository.commit({ [`${DECISION_FOLDER}two.md`]: decision('b') });
  const third = await repository.commit({
    [`${DECISION_FOLDER}one.md`]: null,
    [`${DECISION_FOLDER}two.md`]: null,
  });
  await repository.refresh();
  for (const _ of [1, 2]) {
    expect(await keysAt(repository.id, first)).toEqual(['a']);
    expect(await keysAt(repository.id, second)).toEqual(['a', 'b']);
    expect(await keysAt(repository.id, third)).toEqual([]);
  }
  // A commit that another repository lacks is not found there.
  await expect(keysAt(other.id, first)).rejects.toMatchObject({ code: 'ref_not_found' });
});
