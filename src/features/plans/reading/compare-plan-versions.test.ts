/** Comparing two versions of a plan, however long they are. */
import { describe, expect, it } from 'vitest';
import { postPlan, postVersion, read, SAMPLE_PLAN } from '../../../../test/helpers/rows/plans.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { compareVersions } from '../../../engines/plan-text/compare-versions.ts';
import { readBatches } from './compare-plan-versions.ts';

const service = await startTestService();
const { member } = service.acme;

const listOf = (word: string) => `- ${word}\n`.repeat(20_000);

describe('compare-plan-versions', () => {
  it('answers with the difference by block and by word', async () => {
    const { body: made } = await postPlan(service, member);
    await postVersion(service, member, made, SAMPLE_PLAN.replace('take minutes', 'take hours'));
    const { body } = await read(service, member, made, '/difference?from=1&to=2');
    const changed = body.blocks.filter(({ change }: { change: string }) => change !== 'same');
    expect(changed).toHaveLength(1);
    expect(changed[0].change).toBe('changed');
    const words = changed[0].words.filter(({ change }: { change: string }) => change !== 'same');
    expect(words).toEqual([
      { change: 'removed', text: 'minutes' },
      { change: 'added', text: 'hours' },
    ]);
    expect(body.stats).toEqual({
      changes: 1,
      added: 0,
      removed: 0,
      changed: 1,
      moved: 0,
      wordsAdded: 1,
      wordsRemoved: 1,
    });
  });

  it('answers 400 that names each version which the plan does not have', async () => {
    const { body: made } = await postPlan(service, member);
    const { body } = await read(service, member, made, '/difference?from=3&to=9');
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['from', 'to']);
  });

  it('answers with every block of two long lists, in order', async () => {
    const [before, after] = [listOf('first word'), listOf('second word')];
    const { body: made } = await postPlan(service, member, { content: before });
    await postVersion(service, member, made, after);
    const { body } = await read(service, member, made, '/difference?from=1&to=2');
    const { blocks, stats, truncated } = compareVersions(before, after);
    expect(body).toEqual({
      from: { version: 1, content: before },
      to: { version: 2, content: after },
      blocks,
      stats,
      truncated,
    });
  });

  it('lets other work run between two batches of blocks', async () => {
    const turns: string[] = [];
    for await (const [entry] of readBatches(['["first"]', '["second"]'])) {
      turns.push(entry as string);
      setImmediate(() => turns.push(`after ${entry}`));
    }
    expect(turns).toEqual(['first', 'after first', 'second', 'after second']);
  });
});
