/** Puts files that define the name that was searched for before those that only use it, as far as that is known in time. */
import { type Context, callOf } from '../../context.ts';
import { MAX_DEFINITIONS } from './contract.ts';

/** Each search asks this many repositories, and waits this long in all. */
const MAX_ASKED = 20;
const MAX_WAIT_MS = 1000;
/** Other patterns are no names. */
const NAME = /^(?:\\b)?([\p{L}_$][\p{L}\p{N}_$]{1,199})(?:\\b)?$/u;

interface RankedRepository {
  repoId: string;
  commit: string;
  rank: number;
  files: { path: string; rank: number }[];
}

/** One for each search: repositories that are found later are asked as long as the time lasts. */
export function createDefinitionRanking(context: Context, pattern: string) {
  const name = NAME.exec(pattern)?.[1];
  const { signal, ...caller } = callOf(context);
  let ends: AbortSignal | undefined;
  let asked = 0;

  async function rankOne(repository: RankedRepository): Promise<void> {
    const { commit, repoId } = repository;
    const params = { commit, name: name!, maxDefinitions: MAX_DEFINITIONS, maxReferences: 0 };
    ends ??= AbortSignal.timeout(MAX_WAIT_MS);
    const call = { ...caller, signal: AbortSignal.any([signal, ends]) };
    // Facts that can't be read in time change only the order.
    const found = await context.code.read('findSymbols', repoId, params, call).catch(() => null);
    const defining = new Set(found?.definitions.map(({ path }) => path));
    for (const file of repository.files) if (defining.has(file.path)) file.rank -= 1;
    repository.files.sort((one, other) => one.rank - other.rank);
    repository.rank = Math.min(repository.rank, ...repository.files.map(({ rank }) => rank));
  }

  return async (repositories: readonly RankedRepository[]): Promise<void> => {
    if (name === undefined) return;
    const some = repositories.filter(({ files }) => files.length > 0).slice(0, MAX_ASKED - asked);
    asked += some.length;
    await Promise.all(some.map(rankOne));
  };
}
