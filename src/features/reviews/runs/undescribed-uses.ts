/**
 * Uses in repositories that are not described at their head yet, such as one that was just added: those that mention one of the
 * names are searched for, and the facts of their code are read at once.
 */
import type { PlacedFact } from '../../../platform/core/ports/code-facts.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import {
  type LostName,
  selectLostEverywhere,
  selectUndescribed,
  type UseElsewhere,
} from '../../architecture/index.ts';

/** Repositories that are searched for the names; those added last come first. */
const MAX_SEARCHED = 20;
/** Repositories whose facts are read. */
const MAX_READ = 5;
export async function findUndescribedUses(
  services: { db: Db; code: Pick<CodeReader, 'read' | 'searchEach'>; log: Log },
  own: { organizationId: string; repositoryId: string },
  {
    names,
    placesOf,
    words,
  }: { names: readonly LostName[]; words: readonly string[]; placesOf: (thing: number) => number },
  call: Call,
  withinMs: number,
): Promise<{ uses: UseElsewhere[]; isComplete: boolean }> {
  const { code, db, log } = services;
  const undescribed = await selectUndescribed(db, own, MAX_SEARCHED);
  if (undescribed.length === 0) return { uses: [], isComplete: true };
  const lost = await selectLostEverywhere(db, own, names);
  const inTime = { ...call, signal: AbortSignal.any([call.signal, AbortSignal.timeout(withinMs)]) };
  const uses: UseElsewhere[] = [];
  let isComplete = true;
  try {
    const searched = await mentioning(code, undescribed, words, inTime);
    isComplete = searched.isComplete;
    for (const { headCommit, id, name } of searched.repositories) {
      const { facts } = await code.read('commitFacts', id, { commit: headCommit }, inTime);
      const used = usesIn(facts, lost, placesOf);
      uses.push(...used.map((use) => ({ ...use, repoId: id, repoName: name, headCommit })));
    }
  } catch (error) {
    call.signal.throwIfAborted();
    log.warn({ err: error }, 'a review could not search repositories that are not described yet');
    return { uses, isComplete: false };
  }
  return { uses, isComplete };
}

type Undescribed = Awaited<ReturnType<typeof selectUndescribed>>;

async function mentioning(
  code: Pick<CodeReader, 'searchEach'>,
  undescribed: Undescribed,
  words: readonly string[],
  call: Call,
): Promise<{ repositories: Undescribed; isComplete: boolean }> {
  const found = new Set<string>();
  let isComplete = true;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const commits = undescribed.map(({ headCommit, id }) => ({ repositoryId: id, commit: headCommit }));
  const query = {
    ...({ pattern, path: '', order: 'path', withRanges: false } as const),
    ...{ maxLines: 1, maxBytes: 1000 },
  };
  for await (const { outcome, repositoryId } of code.searchEach(commits, query, call)) {
    if (outcome.kind !== 'found') isComplete = false;
    else if (outcome.matchingLines > 0) found.add(repositoryId);
  }
  const mentions = undescribed.filter(({ id }) => found.has(id));
  return { repositories: mentions.slice(0, MAX_READ), isComplete };
}

/** As for described repositories: nothing that it provides itself, and only of packages that it declares where that is needed. */
function usesIn(
  facts: readonly PlacedFact[],
  lost: readonly LostName[],
  placesOf: (thing: number) => number,
) {
  const namesOf = (role: PlacedFact['role'], kind: string) =>
    new Set(facts.filter((each) => each.role === role && each.kind === kind).map(({ name }) => name));
  const [packages, declared] = [namesOf('provides', 'package'), namesOf('uses', 'package')];
  const provided = { symbol: namesOf('provides', 'symbol'), route: namesOf('provides', 'route') };
  return lost.flatMap(({ isDeclared, kind, name, package: owner, thing }) => {
    if (owner !== null && (packages.has(owner) || (isDeclared && !declared.has(owner)))) return [];
    if (provided[kind as keyof typeof provided].has(name)) return [];
    const paths = facts.filter((each) => each.role === 'uses' && each.kind === kind && each.name === name);
    return [...new Set(paths.map(({ path }) => path))]
      .slice(0, placesOf(thing))
      .map((path) => ({ thing, kind, name, path }));
  });
}
