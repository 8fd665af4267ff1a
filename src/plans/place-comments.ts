/** Where the words that comments point to are in another version of the plan. */
import type { Db } from '../db/index.ts';
import { readAnchor } from './anchor.ts';
import { selectContents } from './plan-store.ts';
import { compareTexts, type Placement, portAnchor } from './port-anchor.ts';

export interface AnchoredComment {
  id: string;
  version_id: string;
  anchor: string;
}

export interface PlacedComment {
  /** The words as they were in the comment's own version. */
  quote: string;
  placement: Placement;
}

/** Texts may be a megabyte each: so many are held at once. */
const TEXTS_AT_ONCE = 8;

/** By comment; one whose anchor points to no words of its version is left out. */
export async function placeComments(
  db: Db,
  planId: string,
  comments: AnchoredComment[],
  target: { id: string; content: string },
): Promise<Map<string, PlacedComment>> {
  const placed = new Map<string, PlacedComment>();
  const byVersion = [...Map.groupBy(comments, ({ version_id }) => version_id)];
  for (let first = 0; first < byVersion.length; first += TEXTS_AT_ONCE) {
    const some = byVersion.slice(first, first + TEXTS_AT_ONCE);
    const others = some.map(([versionId]) => versionId).filter((id) => id !== target.id);
    const texts = others.length > 0 ? await selectContents(db, planId, others) : new Map();
    for (const [versionId, ofVersion] of some) {
      const content = versionId === target.id ? target.content : texts.get(versionId)!.content;
      placeFromOneVersion(ofVersion, content, target.content, placed);
      // Comparing long texts takes a while; others get their turn in between.
      await new Promise(setImmediate);
    }
  }
  return placed;
}

function placeFromOneVersion(
  comments: AnchoredComment[],
  before: string,
  after: string,
  placed: Map<string, PlacedComment>,
): void {
  const comparison = before === after ? undefined : compareTexts(before, after);
  for (const { anchor, id } of comments) {
    const found = readAnchor(anchor, before);
    if (!found) continue;
    const { end, start } = found;
    placed.set(id, {
      quote: before.slice(start, end),
      placement: comparison ? portAnchor(found, comparison) : { result: 'exact', start, end },
    });
  }
}
