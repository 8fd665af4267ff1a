/** The tasks on plan texts that are slow for long texts. Pure, so they can run in any thread. */
import { compareTexts, type Placement, portAnchor, readAnchor } from '../anchors/index.ts';
import { type Block, splitBlocks } from '../text/index.ts';
import { compareVersions } from './compare-versions.ts';
import { readPlanStructure } from './plan-structure.ts';
import { planTitle } from './plan-title.ts';
import { wordParts } from './plan-words.ts';

export interface PlacedQuote {
  /** The quoted text in the comment's own version. */
  quote: string;
  placement: Placement;
}

/** Locates the anchors of one version in another; undefined for an anchor that matches no text. */
function placeAnchors(anchors: string[], before: string, after: string): (PlacedQuote | undefined)[] {
  const comparison = before === after ? undefined : compareTexts(before, after);
  let blocks: Block[] | undefined;
  const blocksOf = comparison?.beforeBlocks ?? (() => (blocks ??= splitBlocks(before)));
  return anchors.map((anchor) => {
    const found = readAnchor(anchor, before, blocksOf);
    if (!found) return undefined;
    const { end, start } = found;
    const placement: Placement = comparison ? portAnchor(found, comparison) : { result: 'exact', start, end };
    return { quote: before.slice(start, end), placement };
  });
}

/** Stored with a version besides its text: the title, the files it names, and its search words. */
function digestPlan(content: string): { title: string; files: string[]; words: string[][] } {
  const title = planTitle(content);
  return { title, files: readPlanStructure(content).files, words: wordParts(`${title}\n${content}`) };
}

/** The main thread parses, validates and serializes this many blocks in a few milliseconds. */
const BLOCKS_IN_BATCH = 500;

/**
 * The difference of two versions, with its blocks as JSON strings of one batch each. A list of one megabyte has 100,000
 * blocks, and passing objects between threads would block the main thread, while strings are cheap.
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
