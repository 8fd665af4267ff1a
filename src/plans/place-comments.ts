/** Where the words that comments point to are in another version of the plan. */
import type { Db } from '../db/index.ts';
import { selectContents } from './plan-store.ts';
import { runTextWork } from './run-text-work.ts';
import type { PlacedQuote } from './text-work.ts';

export interface AnchoredComment {
  id: string;
  version_id: string;
  anchor: string;
}

/** Texts may be a megabyte each: so many are held at once. */
const TEXTS_AT_ONCE = 8;

/** By comment; one whose anchor points to no words of its version is left out. */
export async function placeComments(
  db: Db,
  planId: string,
  comments: AnchoredComment[],
  target: { id: string; content: string },
): Promise<Map<string, PlacedQuote>> {
  const placed = new Map<string, PlacedQuote>();
  const byVersion = [...Map.groupBy(comments, ({ version_id }) => version_id)];
  for (let first = 0; first < byVersion.length; first += TEXTS_AT_ONCE) {
    const some = byVersion.slice(first, first + TEXTS_AT_ONCE);
    const others = some.map(([versionId]) => versionId).filter((id) => id !== target.id);
    const texts = others.length > 0 ? await selectContents(db, planId, others) : new Map();
    for (const [versionId, ofVersion] of some) {
      const content = versionId === target.id ? target.content : texts.get(versionId)!.content;
      const anchors = ofVersion.map(({ anchor }) => anchor);
      const places = await runTextWork('placeAnchors', anchors, content, target.content);
      for (const [index, place] of places.entries()) if (place) placed.set(ofVersion[index]!.id, place);
    }
  }
  return placed;
}
