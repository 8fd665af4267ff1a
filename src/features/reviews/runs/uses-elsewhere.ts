/**
 * Adds what other repositories of the organization still use to a review: names come from the facts of their code, the proof from
 * that code at the head of the default branch. Only repositories that everyone who can read this one can see are looked at.
 */

import type {
  Evidence,
  JudgedCandidate,
  RemovedName,
  ReviewResult,
} from '../../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../../engines/review/contract/code-reviewer.ts';
import { findingKey } from '../../../engines/review/index.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { matchesOf, selectUsesElsewhere, type UseElsewhere } from '../../architecture/index.ts';
import { findUndescribedUses } from './undescribed-uses.ts';

const LIMITS = { repositories: 5, places: 3 };
/** Most files that import a type don't use the one member that is gone. */
const MAX_PLACES_OF_MEMBERS = 40;
/** Files of other repositories that are read in one review. */
const MAX_FILES_READ = 200;

export async function addUsesElsewhere(
  services: {
    db: Db;
    code: Pick<CodeReader, 'read' | 'searchEach'> & Pick<CodeReviewer, 'confirmUses'>;
    log: Log;
  },
  own: { organizationId: string; repositoryId: string },
  result: ReviewResult,
  call: Call,
  /** For repositories that are not described yet. What is not known by then is found once they are. */
  withinMs: number,
): Promise<void> {
  const { removedNames } = result;
  if (removedNames.length === 0) return;
  const names = removedNames.flatMap((removed, thing) =>
    removed.names
      .flatMap((name) => matchesOf({ kind: removed.kind, name }))
      .map((name) => ({
        ...{ thing, kind: removed.kind, name },
        ...{ package: removed.package, isDeclared: removed.isDeclared },
      })),
  );
  const placesOf = (thing: number) => (removedNames[thing]!.member ? MAX_PLACES_OF_MEMBERS : LIMITS.places);
  const described: UseElsewhere[] = [];
  for (const [places, some] of Map.groupBy(names, ({ thing }) => placesOf(thing)))
    described.push(...(await selectUsesElsewhere(services.db, own, some, { ...LIMITS, places })));
  const words = [...new Set(removedNames.map(wordOf))];
  const undescribed = await findUndescribedUses(services, own, { names, words, placesOf }, call, withinMs);
  if (!undescribed.isComplete) for (const removed of removedNames) noteUnread(result, removed);
  // The newest code of a repository replaces what its earlier description says.
  const fresh = new Set(undescribed.uses.map(({ repoId }) => repoId));
  const used = [...described.filter(({ repoId }) => !fresh.has(repoId)), ...undescribed.uses];
  for (const [thing, uses] of Map.groupBy(used.slice(0, MAX_FILES_READ), (use) => use.thing)) {
    const removed = removedNames[thing]!;
    const evidence = await confirm(services, result, removed, uses, call);
    if (evidence.length > 0) report(result, removed, evidence);
  }
}

/** The places that still use it. A repository that can't be read now leaves the check undone: nothing is addressed then. */
async function confirm(
  { code, log }: { code: Pick<CodeReviewer, 'confirmUses'>; log: Log },
  result: ReviewResult,
  removed: RemovedName,
  uses: UseElsewhere[],
  call: Call,
): Promise<Evidence[]> {
  const evidence: Evidence[] = [];
  const { kind, member } = removed;
  for (const [repositoryId, places] of Map.groupBy(uses, ({ repoId }) => repoId)) {
    const { headCommit: commit, repoName } = places[0]!;
    try {
      const request = { commit, uses: places.map(({ name, path }) => ({ path, kind, name, member })) };
      const confirmed = await code.confirmUses(repositoryId, request, call);
      for (const [index, lines] of confirmed.entries()) {
        const { path } = places[index]!;
        const repository = { id: repositoryId, name: repoName, commit };
        evidence.push(
          ...lines.map(({ line, quote }) => ({ side: 'head' as const, path, line, quote, repository })),
        );
      }
    } catch (error) {
      call.signal.throwIfAborted();
      log.warn({ err: error, repositoryId }, 'a review could not read another repository');
      noteUnread(result, removed);
    }
  }
  return evidence;
}

function checkOf({ kind, member }: RemovedName) {
  if (kind === 'route') return 'removed_route';
  return member ? 'removed_method_used' : 'removed_but_used';
}

function noteUnread({ checks }: ReviewResult, removed: RemovedName): void {
  const run = checks.find(({ name }) => name === checkOf(removed));
  if (run) run.failure ??= 'Another repository that may use it could not be read.';
}

/** One finding about one thing: a use in this repository that was found before gets more evidence. */
function report(result: ReviewResult, removed: RemovedName, evidence: Evidence[]): void {
  const { file, kind, line, quote, subject } = removed;
  const check = checkOf(removed);
  const known = result.candidates.find(
    (each) => each.check === check && each.subject === subject && each.file === file,
  );
  if (known) {
    known.evidence.push(...evidence);
    return;
  }
  const run = result.checks.find(({ name }) => name === check);
  if (!run) return;
  run.candidates += 1;
  const [first] = evidence;
  const repositories = new Set(evidence.map(({ repository }) => repository!.id)).size;
  const others = repositories === 1 ? 'Another repository still' : `${repositories} other repositories still`;
  const does = repositories === 1 ? 'uses' : 'use';
  const candidate = {
    ...({ reviewer: run.reviewer, check, subject, file, side: 'base', line, quote, evidence } as const),
    claim: kind === 'symbol' ? 'removed_but_used' : 'contract',
    title: `${subject} was removed but is still used in ${repositories === 1 ? 'another repository' : 'other repositories'}`,
    scenario:
      kind === 'symbol'
        ? `${others} ${does} \`${subject}\`, which ${file} no longer defines: the next update of this dependency breaks it.`
        : `${others} ${does} ${subject}, which nothing in this repository serves anymore: the call fails once this is deployed.`,
    command: `git grep -nF -e '${wordOf(removed)}' ${first!.repository!.commit.slice(0, 12)} # in ${first!.repository!.name}`,
  } satisfies Omit<JudgedCandidate, 'key' | 'fate'>;
  result.candidates.push({ ...candidate, key: findingKey(candidate), fate: { kind: 'finding' } });
}

/** The name of a symbol, or the last segment of a route that isn't a parameter. */
function wordOf({ member, subject }: RemovedName): string {
  if (member) return member.name;
  return subject.split(/[/ ]/).findLast((part) => part !== '' && !part.includes('{}')) ?? subject;
}
