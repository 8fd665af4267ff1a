/** Finds the commit of a branch, a tag or digits. What nobody recorded yet asks the origin once before it is an error. */
import { setTimeout as sleep } from 'node:timers/promises';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { CodeReader, OriginAnswer } from '../../platform/core/ports/code-reader.ts';
import type { Call } from '../../platform/core/work/fair-queue.ts';
import type { Db } from '../../platform/db/index.ts';
import { nearNames } from './near-names.ts';
import { type RefKind, resolveRef, selectNearRefs } from './store/ref-store.ts';

/** How many names are compared for suggestions. */
const MAX_COMPARED = 500;
const MAX_SHOWN_CHARACTERS = 200;

export interface FindServices {
  db: Db;
  code: Pick<CodeReader, 'askOrigin' | 'findCommit'>;
  call: Call;
}

/** `isPushed`: the caller has pushed it, so it is worth waiting a few seconds until the origin may be asked again. */
export interface AskOptions {
  isPushed: boolean;
  /** A full commit id that the origin is asked for too. */
  commit?: string | undefined;
}

/** Calls `look`, if necessary again after asking the origin; otherwise says how that went. */
export async function findOrAsk<Found>(
  { call, code }: { code: Pick<CodeReader, 'askOrigin'>; call: Call },
  repositoryId: string,
  { commit, isPushed }: AskOptions,
  look: () => Promise<Found | undefined>,
): Promise<{ found: Found } | { answer: OriginAnswer }> {
  const known = await look();
  if (known !== undefined) return { found: known };
  for (let round = 1; ; round += 1) {
    const answer = await code.askOrigin(repositoryId, call, commit);
    const found = await look();
    if (found !== undefined) return { found };
    // Whoever asks after the wait asks for this caller too.
    if (answer.kind !== 'recent' || !isPushed || round === 2) return { answer };
    await sleep(answer.retryAfterMs, undefined, { signal: call.signal });
  }
}

/** A branch, a tag, or digits of a commit, in this order. Nothing else is a ref, even if git would accept it. */
export async function findCommitOf(
  services: FindServices,
  repository: { id: string; name: string },
  ref: string,
  { field, isPushed, minDigits = 4 }: { field: string; isPushed: boolean; minDigits?: number },
): Promise<string> {
  const { call, code, db } = services;
  const isDigits = /^[0-9a-f]{4,64}$/i.test(ref) && ref.length >= minDigits;
  const digits = ref.toLowerCase();
  const look = async (): Promise<string | undefined> => {
    const named = await resolveRef(db, repository.id, ref);
    if (named || !isDigits) return named;
    const looked = await code.findCommit(repository.id, digits, call);
    if (looked.kind === 'ambiguous')
      throw invalidRequest([{ path: field, message: 'matches more than one commit: send more digits' }]);
    return looked.kind === 'found' ? looked.commit : undefined;
  };
  const isFullId = isDigits && (ref.length === 40 || ref.length === 64);
  const options = { isPushed, commit: isFullId ? digits : undefined };
  const outcome = await findOrAsk(services, repository.id, options, look);
  if ('found' in outcome) return outcome.found;
  throw await unknownRef(db, repository, { name: ref, kinds: ['branch', 'tag'] }, outcome.answer);
}

/** Suggests similar names, and says if the origin may have newer ones. */
export async function unknownRef(
  db: Db,
  repository: { id: string; name: string },
  { kinds, name }: { name: string; kinds: readonly RefKind[] },
  answer: OriginAnswer,
): Promise<Problem> {
  const shown = name.slice(0, MAX_SHOWN_CHARACTERS);
  const candidates = await suggestRefs(db, repository.id, name, kinds);
  const what = kinds.includes('tag') ? 'branch, tag or commit' : 'branch';
  const retryAfterSeconds = answer.kind === 'recent' ? Math.ceil(answer.retryAfterMs / 1000) : 0;
  const detail = [
    `${repository.name} has no ${what} named ${shown}.`,
    ...(candidates.length > 0 ? [`Did you mean ${candidates.join(' or ')}?`] : []),
    answer.kind === 'failed'
      ? 'The origin could not be reached to look for newer ones.'
      : 'If it is not pushed yet, push it first.',
    ...(retryAfterSeconds > 0
      ? [
          `The origin was asked a moment ago: if you have pushed since, retry in ${seconds(retryAfterSeconds)}.`,
        ]
      : []),
  ].join(' ');
  return new Problem('ref_not_found', detail, {
    ...(candidates.length > 0 && { candidates, candidatesFor: 'ref' as const }),
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

const seconds = (count: number) => (count === 1 ? '1 second' : `${count} seconds`);

async function suggestRefs(
  db: Db,
  repositoryId: string,
  name: string,
  kinds: readonly RefKind[],
): Promise<string[]> {
  const names = await selectNearRefs(db, repositoryId, { name, kinds, limit: MAX_COMPARED });
  return nearNames(name, [...new Set(names)]);
}
