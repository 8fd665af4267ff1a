/** Chooses the repositories of a search over all of them: those that the caller can see, that match, and that can be searched. */
import type { Context } from '../../context.ts';
import { compileGlob } from '../../engines/search/index.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import { type SearchableRepository, selectSearchable, unknownRepository } from '../repositories/index.ts';
import type { FilterValues } from './accept-query.ts';
import { MAX_REPOSITORIES } from './contract.ts';
import { named, repositories } from './describe-repositories.ts';

export interface ChosenRepositories {
  chosen: (SearchableRepository & { commit: string })[];
  /** Why others were left out, as sentences. */
  leftOut: string[];
}

interface Wanted {
  /** A glob. */
  repositories?: string | undefined;
  /** Globs of the search form's language, each of which must match a repository. */
  filters?: FilterValues;
  branch?: string | undefined;
}

export async function chooseRepositories(
  context: Context,
  { branch, filters = { wanted: [], unwanted: [] }, repositories: glob }: Wanted,
): Promise<ChosenRepositories> {
  const { actor, db } = context;
  const rows = await selectSearchable(db, actor, branch, MAX_REPOSITORIES + 1);
  const leftOut: string[] = [];
  if (rows.length > MAX_REPOSITORIES) {
    rows.pop();
    leftOut.push(
      `Only the first ${MAX_REPOSITORIES.toLocaleString('en-US')} repositories by name were searched.`,
    );
  }
  const matches = glob === undefined ? () => true : matcherOf(glob);
  const accepts = await acceptsOf(context, filters, rows);
  const wanted = rows.filter(({ name }) => matches(name) && accepts(name));
  const isReady = ({ state }: SearchableRepository) => !['waiting', 'cloning', 'failed'].includes(state);
  const notReady = wanted.filter((row) => !isReady(row));
  if (notReady.length > 0)
    leftOut.push(`${repositories(notReady.length, 'is', 'are')} not ready yet: ${named(notReady)}.`);
  const ready = wanted.filter(isReady);
  const chosen = ready.filter((row): row is ChosenRepositories['chosen'][number] => row.commit !== null);
  const without = ready.filter(({ commit }) => commit === null);
  // Only a missing branch is reported: if none was asked for, the repository is empty and has nothing to search.
  if (branch !== undefined && without.length > 0)
    leftOut.push(`${repositories(without.length, 'has', 'have')} no branch ${branch}.`);
  return { chosen, leftOut };
}

/** Suggests similar names for one that matches nothing, which is rather a mistake than a limit. */
async function acceptsOf(
  context: Context,
  { unwanted, wanted }: FilterValues,
  rows: readonly SearchableRepository[],
): Promise<(name: string) => boolean> {
  const known = async (value: string) => {
    const matches = matcherOf(value, 'query');
    if (rows.some(({ name }) => matches(name))) return matches;
    const { message } = await unknownRepository(context, value);
    throw invalidRequest([
      { path: 'query', message: `has an unknown repository. ${message.replace(/\.$/, '')}` },
    ]);
  };
  const [some, none] = await Promise.all([wanted, unwanted].map((each) => Promise.all(each.map(known))));
  return (name) =>
    (some!.length === 0 || some!.some((matches) => matches(name))) && !none!.some((matches) => matches(name));
}

/** Not case-sensitive, like names everywhere. */
function matcherOf(pattern: string, field = 'repositories'): (name: string) => boolean {
  const compiled = compileGlob(pattern.toLowerCase());
  if (!compiled.ok)
    throw invalidRequest([{ path: field, message: `is not a valid glob: ${compiled.message}` }]);
  return (name) => {
    const bytes = Buffer.from(name.toLowerCase());
    return compiled.glob.matches(bytes, 0, bytes.length);
  };
}
