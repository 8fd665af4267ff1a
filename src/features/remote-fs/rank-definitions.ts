/** Puts files that define the name that was searched for before those that only use it, as far as that is known in time. */
import { type Context, callOf } from '../../context.ts';
import { rankOfDefinition } from '../../engines/search/index.ts';
import type { DefiningLine, EachOutcome, EachQuery } from '../../platform/core/ports/code-reader.ts';
import { MAX_DEFINITIONS, MAX_SYMBOL_REPOSITORIES } from './contract.ts';

/** Each search asks this many repositories together, and waits this long in all. */
const AT_ONCE = 4;
const MAX_WAIT_MS = 1000;
/** A later page has the order of the first one, for which they were known. */
const MAX_WAIT_AGAIN_MS = 8000;

type Place = { id: string; commit: string };
/** Null when they are not known in time. */
type Definitions = (place: Place) => Promise<DefiningLine[] | null>;

/** Finds the definitions of these names. */
export function createDefinitions(
  context: Context,
  names: readonly string[],
  { isAgain = false }: { isAgain?: boolean } = {},
): Definitions {
  const { signal, ...caller } = callOf(context);
  let ends: AbortSignal | undefined;
  return async ({ commit, id }) => {
    if (names.length === 0) return [];
    ends ??= AbortSignal.timeout(isAgain ? MAX_WAIT_AGAIN_MS : MAX_WAIT_MS);
    const call = { ...caller, signal: AbortSignal.any([signal, ends]) };
    const found = names.map((name) => {
      const params = { commit, name, maxDefinitions: MAX_DEFINITIONS, maxReferences: 0 };
      return context.code.read('findSymbols', id, params, call);
    });
    // Facts that can't be read in time change only the order.
    const all = await Promise.all(found).catch(() => null);
    return all?.flatMap(({ definitions }) => definitions.map(({ line, path }) => ({ path, line }))) ?? null;
  };
}

/** The matches in a repository, whose order is changed in place. */
export interface FoundIn {
  place: Place;
  outcome: EachOutcome & { kind: 'found' };
}

/** One for each search of many repositories, which are asked when something was found in them. */
export function createDefinitionsFirst(context: Context, names: readonly string[], query: EachQuery) {
  const definitionsIn = createDefinitions(context, names);
  const call = callOf(context);
  let asked = 0;

  async function withDefinitions(found: FoundIn): Promise<void> {
    const definitions = await definitionsIn(found.place);
    if (!definitions || definitions.length === 0) return;
    const { commit, id } = found.place;
    const { files, moreLines } = found.outcome;
    if (!moreLines) {
      const defining = new Set(definitions.map(({ path }) => path));
      for (const file of files) if (defining.has(file.path)) file.rank = rankOfDefinition(file.rank ?? 0);
      files.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
      return;
    }
    // They can be beyond the lines that were returned, so the search is repeated with them.
    const repeated = await context.code
      .read('searchCode', id, { ...query, commit, definitions, isValid: true }, call)
      .catch(() => null);
    if (repeated?.kind === 'found') found.outcome = repeated;
  }

  return async (all: readonly FoundIn[]): Promise<void> => {
    const waiting = all
      .filter(({ outcome }) => outcome.files.length > 0)
      .slice(0, MAX_SYMBOL_REPOSITORIES - asked);
    asked += waiting.length;
    const work = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) await withDefinitions(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
}
