/** The work on plan texts that takes long when the texts are long. Pure: it may be done in any thread. */
import { compareTexts, type Placement, portAnchor, readAnchor } from '../anchors/index.ts';
import { compareVersions } from './compare-versions.ts';
import { readPlanStructure } from './plan-structure.ts';
import { planTitle } from './plan-title.ts';
import { wordParts } from './plan-words.ts';

export interface PlacedQuote {
  /** The words as they were in the comment's own version. */
  quote: string;
  placement: Placement;
}

/** Where the words that anchors of one version point to are in another; undefined for one that points to none. */
function placeAnchors(anchors: string[], before: string, after: string): (PlacedQuote | undefined)[] {
  const comparison = before === after ? undefined : compareTexts(before, after);
  return anchors.map((anchor) => {
    const found = readAnchor(anchor, before);
    if (!found) return undefined;
    const { end, start } = found;
    const placement: Placement = comparison ? portAnchor(found, comparison) : { result: 'exact', start, end };
    return { quote: before.slice(start, end), placement };
  });
}

/** What is kept of a version besides its text: the title, the files it names, and the words it is found by. */
function digestPlan(content: string): { title: string; files: string[]; words: string[][] } {
  const title = planTitle(content);
  return { title, files: readPlanStructure(content).files, words: wordParts(`${title}\n${content}`) };
}

/** Objects of this many blocks are read, checked and written by the main thread in a few milliseconds. */
const BLOCKS_IN_BATCH = 500;

/**
 * The difference of two versions with its blocks as JSON texts of a batch each: a list of a megabyte has 100,000 blocks,
 * and texts pass from thread to thread at once where objects would hold the main thread.
 */
function compareInBatches(before: string, after: string) {
  const { blocks, ...rest } = compareVersions(before, after);
  const batches: string[] = [];
  for (let first = 0; first < blocks.length; first += BLOCKS_IN_BATCH) {
    batches.push(JSON.stringify(blocks.slice(first, first + BLOCKS_IN_BATCH)));
  }
  return { batches, ...rest };
}

export const TEXT_WORK = { compareInBatches, digestPlan, placeAnchors, readPlanStructure };

export type TextWork = typeof TEXT_WORK;
