/** Work on long texts gives what the work gives, in a thread that leaves this one free. */
import { describe, expect, it } from 'vitest';
import { compareVersions } from './compare-versions.ts';
import { readPlanStructure } from './plan-structure.ts';
import { runTextWork } from './run-text-work.ts';

const long = (word: string) =>
  Array.from({ length: 30_000 }, (_, index) => `${word} sentence ${index}.`).join('\n\n');

describe('runTextWork', () => {
  it('gives the same for short and for long texts as the work itself', async () => {
    for (const [before, after] of [
      ['# One\n\nTwo.', '# One\n\nThree.'],
      [long('one'), long('one').replaceAll('sentence 7', 'word 7')],
    ] as const) {
      const { batches, ...rest } = await runTextWork('compareInBatches', before, after);
      const blocks = batches.flatMap((batch) => JSON.parse(batch));
      expect({ blocks, ...rest }).toEqual(compareVersions(before, after));
      expect(await runTextWork('readPlanStructure', before)).toEqual(readPlanStructure(before));
    }
  });

  it('finishes all of many pieces of work that come at once', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `# Plan ${index}\n\n${long(`w${index}`)}`);
    const structures = await Promise.all(texts.map((text) => runTextWork('readPlanStructure', text)));
    expect(structures.map(({ sections }) => sections[0]!.title)).toEqual(
      texts.map((_, index) => `Plan ${index}`),
    );
  });

  it('leaves this thread free while it works on long texts', async () => {
    const [before, after] = [long('one'), long('two')];
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const work = runTextWork('compareInBatches', before, after);
    const turnsWhenSent = turns;
    await work;
    clearInterval(counting);
    expect(turns).toBeGreaterThan(turnsWhenSent + 3);
  });

  it('places anchors of long texts, and leaves out one that points to nothing', async () => {
    const before = `Start here.\n\n${long('one')}`;
    const placed = await runTextWork('placeAnchors', ['Start here.', 'nowhere'], before, `New.\n\n${before}`);
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
    const placed = await runTextWork('placeAnchors', anchors, before, '- y\n'.repeat(250_000));
    expect(placed.map((place) => place?.placement.result)).toEqual(anchors.map(() => 'orphaned'));
  });

  it('says so when there is too much to do, and goes on afterwards', async () => {
    const text = long('busy');
    const answers = await Promise.allSettled(
      Array.from({ length: 220 }, () => runTextWork('placeAnchors', [], text, text)),
    );
    const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(20);
    expect(refused[0]!.reason).toMatchObject({ code: 'unavailable', status: 503 });
    expect((await runTextWork('readPlanStructure', `# Again\n\n${text}`)).sections[0]!.title).toBe('Again');
  });
});
