/** Work on long texts has the same results as on short ones, and blocks neither this thread nor other organizations. */
import { afterAll, describe, expect, it } from 'vitest';
import { compareVersions } from './compare-versions.ts';
import { readPlanStructure } from './plan-structure.ts';
import { createTextThreads } from './run-text-work.ts';

const { close, run: runTextWork } = createTextThreads();
afterAll(close);

const callOf = (organizationId: string, credentialId: string) => ({
  caller: { organizationId, userId: credentialId, credentialId },
  signal: new AbortController().signal,
});
const ada = callOf('acme', 'ada');

const long = (word: string) =>
  Array.from({ length: 30_000 }, (_, index) => `${word} sentence ${index}.`).join('\n\n');

describe('work on texts', () => {
  it('returns the same for short and long texts as the work itself', async () => {
    for (const [before, after] of [
      ['# One\n\nTwo.', '# One\n\nThree.'],
      [long('one'), long('one').replaceAll('sentence 7', 'word 7')],
    ] as const) {
      const { batches, ...rest } = await runTextWork(ada, 'compareInBatches', before, after);
      const blocks = batches.flatMap((batch) => JSON.parse(batch));
      expect({ blocks, ...rest }).toEqual(compareVersions(before, after));
      expect(await runTextWork(ada, 'readPlanStructure', before)).toEqual(readPlanStructure(before));
    }
  });

  it('finishes many tasks that arrive at once', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `# Plan ${index}\n\n${long(`w${index}`)}`);
    const structures = await Promise.all(texts.map((text) => runTextWork(ada, 'readPlanStructure', text)));
    expect(structures.map(({ sections }) => sections[0]!.title)).toEqual(
      texts.map((_, index) => `Plan ${index}`),
    );
  });

  it('leaves this thread free while it works on long texts', async () => {
    const [before, after] = [long('one'), long('two')];
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const work = runTextWork(ada, 'compareInBatches', before, after);
    const turnsWhenSent = turns;
    await work;
    clearInterval(counting);
    expect(turns).toBeGreaterThan(turnsWhenSent + 3);
  });

  it('places anchors of long texts, and returns undefined for one that matches nothing', async () => {
    const before = `Start here.\n\n${long('one')}`;
    const placed = await runTextWork(
      ada,
      'placeAnchors',
      ['Start here.', 'nowhere'],
      before,
      `New.\n\n${before}`,
    );
    expect(placed).toEqual([
      { quote: 'Start here.', placement: { result: 'exact', start: 6, end: 17 } },
      undefined,
    ]);
  });

  it('places many anchors in a megabyte of equal lines', async () => {
    const before = '- x\n'.repeat(250_000);
    const anchors = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({ quote: before.slice(0, 400 + index), prefix: '', suffix: 'z', heading: 'None' }),
    );
    const placed = await runTextWork(ada, 'placeAnchors', anchors, before, '- y\n'.repeat(250_000));
    expect(placed.map((place) => place?.placement.result)).toEqual(anchors.map(() => 'orphaned'));
  });

  it('rejects what exceeds the limit of one credential, and continues with the rest', async () => {
    const text = long('busy');
    const answers = await Promise.allSettled(
      Array.from({ length: 25 }, () => runTextWork(ada, 'placeAnchors', [], text, text)),
    );
    const rejected = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(rejected).toHaveLength(4);
    expect(rejected[0]!.reason).toMatchObject({
      code: 'rate_limited',
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    });
    expect((await runTextWork(ada, 'readPlanStructure', `# Again\n\n${text}`)).sections[0]!.title).toBe(
      'Again',
    );
  });

  it("doesn't make an organization wait for the work of another", async () => {
    const text = long('busy');
    const read = (organization: string, key = 'key') =>
      runTextWork(callOf(organization, key), 'readPlanStructure', text);
    // Starts both threads.
    await Promise.all([read('acme'), read('globex')]);
    const finished: string[] = [];
    const work = Array.from({ length: 10 }, (_, index) =>
      read('acme', `key ${index}`).then(() => finished.push('acme')),
    );
    const other = read('globex').then(() => finished.push('globex'));
    await Promise.all([...work, other]);
    expect(finished.indexOf('globex')).toBeLessThan(4);
  });

  it('drops work that was cancelled while it waited', async () => {
    const text = long('busy');
    const abort = new AbortController();
    const first = runTextWork(ada, 'readPlanStructure', text);
    const second = runTextWork({ ...ada, signal: abort.signal }, 'readPlanStructure', text);
    abort.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    expect((await first).sections).toBeDefined();
  });
});
