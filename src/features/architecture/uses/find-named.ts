/** Where a name stands in code, for names that the stored facts don't know: by the syntax of the code, and as plain text. */
import type { z } from 'zod';
import { type Context, callOf } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { type chooseRepositories, findSymbolIn } from '../../remote-fs/index.ts';
import {
  type FactPlace,
  MAX_PLACES_OF_USER,
  MAX_REPOSITORIES_SHOWN,
  MAX_TEXT_LINE_CHARACTERS,
  MAX_TEXT_LINES,
  type RepositoryPlaces,
  type TextMatches,
} from '../contract.ts';

export type Chosen = Awaited<ReturnType<typeof chooseRepositories>>;
type Places = z.input<typeof RepositoryPlaces>;

export interface NamedPlaces {
  definedIn: Places[];
  /** References in repositories that define it too, and in others. */
  inside: Places[];
  outside: Places[];
  leftOut: string[];
}

/** Definitions and references of a symbol, at the default branches. */
export async function findNamedSymbols(context: Context, name: string, chosen: Chosen): Promise<NamedPlaces> {
  const found = await findSymbolIn(context, { name }, { ...chosen, leftOut: [] });
  const places: NamedPlaces = { definedIn: [], inside: [], outside: [], leftOut: found.leftOut };
  for (const each of found.repositories.slice(0, MAX_REPOSITORIES_SHOWN)) {
    const { commit, definitions, moreDefinitions, moreReferences, references, repository } = each;
    const listed = (all: z.input<typeof FactPlace>[], more: number): Places[] => {
      if (all.length === 0) return [];
      const shown = all.slice(0, MAX_PLACES_OF_USER);
      const morePlaces = all.length - shown.length + more;
      return [{ repoId: repository.id, repoName: repository.name, commit, places: shown, morePlaces }];
    };
    const placeOf = (path: string, line: number, detail: string) => {
      return { kind: 'symbol' as const, name, path, line, detail, evidence: 'symbol' as const };
    };
    places.definedIn.push(
      ...listed(
        definitions.map(({ container, kind, line, path }) =>
          placeOf(
            path,
            line,
            container === null ? `definition, ${kind}` : `definition, ${kind} of ${container}`,
          ),
        ),
        moreDefinitions,
      ),
    );
    const isInside = definitions.length + moreDefinitions > 0;
    places[isInside ? 'inside' : 'outside'].push(
      ...listed(
        references.map(({ line, path }) => placeOf(path, line, 'reference')),
        moreReferences,
      ),
    );
  }
  return places;
}

/** Lines that a pattern matches, at the default branches; code before tests and documents. */
export async function findTextMatches(
  context: Context,
  pattern: string,
  { chosen }: Chosen,
): Promise<{ textMatches: z.input<typeof TextMatches>[]; isCut: boolean }> {
  const targets = chosen.map(({ commit, id }) => ({ repositoryId: id, commit }));
  const names = new Map(chosen.map((each) => [each.id, each]));
  const query = {
    ...{ pattern, path: '', order: 'best' as const, withRanges: false },
    maxLines: MAX_PLACES_OF_USER,
    maxBytes: MAX_PLACES_OF_USER * MAX_TEXT_LINE_CHARACTERS * 4,
  };
  const textMatches: z.input<typeof TextMatches>[] = [];
  let [count, isCut] = [0, false];
  try {
    for await (const { outcome, repositoryId } of context.code.searchEach(targets, query, callOf(context))) {
      if (outcome.kind !== 'found') {
        isCut = true;
        continue;
      }
      const lines = outcome.files.flatMap(({ lines: ofFile, path }) =>
        ofFile
          .filter(({ isMatch }) => isMatch)
          .map(({ number, text }) => ({
            path,
            line: number,
            text: text.trim().slice(0, MAX_TEXT_LINE_CHARACTERS),
          })),
      );
      if (lines.length === 0) continue;
      const { commit, name } = names.get(repositoryId)!;
      const moreLines = outcome.moreLines?.count ?? 0;
      textMatches.push({ repoId: repositoryId, repoName: name, commit, lines, moreLines });
      count += lines.length;
      if (count >= MAX_TEXT_LINES) {
        isCut = true;
        break;
      }
    }
  } catch (error) {
    // Without a turn, what is known is still an answer, and it says that text was not searched.
    if (!(error instanceof Problem)) throw error;
    isCut = true;
  }
  return { textMatches: textMatches.sort((one, other) => (one.repoName < other.repoName ? -1 : 1)), isCut };
}
