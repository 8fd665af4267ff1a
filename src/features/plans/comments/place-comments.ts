/** Locates the text that comments quote in another version of the plan. */

import { createTextThreads, type PlacedQuote, type TextThreads } from '../../../engines/plan-text/index.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { NodeState } from '../../../platform/core/work/node-state.ts';
import type { Db } from '../../../platform/db/index.ts';
import { selectContents } from '../store/plan-store.ts';

export interface AnchoredComment {
  id: string;
  version_id: string;
  anchor: string;
}

export interface PlacingServices {
  call: Call;
  db: Db;
  state: Pick<NodeState<unknown>, 'of'>;
}

/** How many versions are in memory at once. Each can be up to one megabyte. */
const TEXTS_AT_ONCE = 8;
/** How many anchors are located per task, so that no task takes long. */
const ANCHORS_AT_ONCE = 20;

/** By comment ID. Comments whose anchor matches no text in their own version are left out. */
export async function placeComments(
  { call, db, state }: PlacingServices,
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
      const places = await placeAnchors(
        { call, threads: state.of(createTextThreads) },
        new Set(ofVersion.map(({ anchor }) => anchor)),
        content,
        target.content,
      );
      for (const { anchor, id } of ofVersion) {
        const place = places.get(anchor);
        if (place) placed.set(id, place);
      }
    }
  }
  return placed;
}

/** Many comments can quote the same text; each anchor is located once. */
async function placeAnchors(
  { call, threads }: { call: Call; threads: TextThreads },
  distinct: Set<string>,
  before: string,
  after: string,
): Promise<Map<string, PlacedQuote | undefined>> {
  const anchors = [...distinct];
  const places = new Map<string, PlacedQuote | undefined>();
  for (let first = 0; first < anchors.length; first += ANCHORS_AT_ONCE) {
    const some = anchors.slice(first, first + ANCHORS_AT_ONCE);
    const found = await threads.run(call, 'placeAnchors', some, before, after);
    for (const [index, anchor] of some.entries()) places.set(anchor, found[index]);
  }
  return places;
}
