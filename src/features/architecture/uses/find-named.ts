/** Where a name stands in code, for names that the stored facts don't know: by the syntax of the code, and as plain text. */
import type { z } from 'zod';
import { type Context, callOf } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type chooseRepositories, findSymbolIn, named } from '../../remote-fs/index.ts';
import {
  type FactPlace,
  MAX_PLACES_OF_USER,
  MAX_TEXT_LINE_CHARACTERS,
  MAX_TEXT_LINES,
  type RepositoryPlaces,
  type TextMatches,
} from '../contract.ts';
import type { SymbolName } from './matching-names.ts';
import { selectDependents } from './use-store.ts';
import { importedNames, inSameLanguages, tellApart } from './which-symbol.ts';

export type Chosen = Awaited<ReturnType<typeof chooseRepositories>>;
type Place = z.input<typeof FactPlace>;
type Places = z.input<typeof RepositoryPlaces>;

type Found = Awaited<ReturnType<typeof findSymbolIn>>['repositories'][number];

export interface NamedPlaces {
  definedIn: Places[];
  /** References in repositories that define it too, and in others. */
  inside: Places[];
  outside: Places[];
  /** Which places of the same name were left out, as sentences. */
  notes: string[];
  isAmbiguous: boolean;
}

/** Definitions and references of a name, at the default branches; methods of Ruby are often named without their last sign. */
export async function findNamedSymbols(context: Context, { name }: SymbolName, chosen: Chosen) {
  const find = (each: string) => findSymbolIn(context, { name: each }, { ...chosen, leftOut: [] });
  const found = await find(name);
  return found.repositories.length > 0 || !/^[a-z_]\w*$/.test(name) ? found : find(`${name}?`);
}

/** References of a symbol whose package is known: those in repositories that provide the package, and in those that use it. */
export function placesOfPackage(
  found: readonly Found[],
  { name }: SymbolName,
  { providing, using }: { providing: ReadonlySet<string>; using: ReadonlySet<string> },
): NamedPlaces {
  const definitions = found
    .filter(({ repository }) => providing.has(repository.id))
    .flatMap((each) => each.definitions);
  const inLanguage = referencesIn(found, definitions);
  const inside = inLanguage.filter(({ repository }) => providing.has(repository.id));
  const outside = inLanguage.filter(({ repository: { id } }) => using.has(id) && !providing.has(id));
  return {
    definedIn: inside.flatMap((each) => definitionsOf(each, name)),
    inside: inside.flatMap((each) => referencesOf(each, name)),
    outside: outside.flatMap((each) => referencesOf(each, name)),
    notes: [],
    isAmbiguous: false,
  };
}

/**
 * References of a symbol that is known by its definition: an equal name in a repository that doesn't depend on the one that
 * defines it is about something else.
 */
export async function placesOfDefinition(
  { actor, db }: Context,
  found: readonly Found[],
  symbol: SymbolName,
): Promise<NamedPlaces> {
  const { name } = symbol;
  const { isAmbiguous, others, owners } = tellApart(symbol, found);
  const [owner] = owners;
  const definedIn = owners.flatMap((each) => definitionsOf(each, name));
  if (isAmbiguous) {
    const repositories = `${owners.length.toLocaleString('en-US')} repositories`;
    const note = `${repositories} define this name, and nothing says which one is meant, so uses are not listed. Ask again with the repository or the file of one: ${inRepository(owner!, name)}.`;
    return { definedIn, inside: [], outside: [], notes: [note], isAmbiguous };
  }
  const defining = new Set([...owners, ...others].map(({ repository }) => repository.id));
  const { definitions } = owner ?? { definitions: [] };
  const inLanguage = referencesIn(found, definitions);
  const rest = inLanguage.filter(
    ({ references, repository }) => references.length > 0 && !defining.has(repository.id),
  );
  const related = owner ? await dependents(db, actor.organizationId, owner, rest) : rest;
  const notes: string[] = [];
  if (others.length > 0)
    notes.push(
      `This is about the definition in ${owner!.repository.name}. ${named(others.map(({ repository }) => repository))} ${others.length === 1 ? 'defines' : 'define'} the same name; their uses are not listed. Ask about one of them as ${inRepository(others[0]!, name)}.`,
    );
  const unrelated = rest.filter((each) => !related.includes(each));
  if (unrelated.length > 0)
    notes.push(
      `Not listed: the same name in repositories that do not declare that they depend on ${owner!.repository.name}: ${named(unrelated.map(({ repository }) => repository))}.`,
    );
  return {
    definedIn,
    inside: inLanguage
      .filter(({ repository }) => repository.id === owner?.repository.id)
      .flatMap((each) => referencesOf(each, name)),
    outside: related.flatMap((each) => referencesOf(each, name)),
    notes,
    isAmbiguous,
  };
}

const referencesIn = (found: readonly Found[], definitions: Found['definitions']): Found[] =>
  found.map((each) => ({ ...each, references: inSameLanguages(each.references, definitions) }));

async function dependents(
  db: Db,
  organizationId: string,
  owner: Found,
  rest: readonly Found[],
): Promise<Found[]> {
  if (rest.length === 0) return [];
  const { hasPackages, ids } = await selectDependents(db, organizationId, {
    repositoryId: owner.repository.id,
    symbols: importedNames(owner.definitions),
    candidates: rest.map(({ repository }) => repository.id),
  });
  // Code that declares no package can be used without being declared.
  return hasPackages ? rest.filter(({ repository }) => ids.includes(repository.id)) : [...rest];
}

const inRepository = ({ repository }: Found, name: string) => `\`${repository.name}#${name}\``;

function definitionsOf(found: Found, name: string): Places[] {
  const places = found.definitions.map(({ container, kind, line, path }) => {
    const detail = container === null ? `definition, ${kind}` : `definition, ${kind} of ${container}`;
    return placeOf(name, { path, line, detail });
  });
  return listed(found, places, found.moreDefinitions);
}

function referencesOf(found: Found, name: string): Places[] {
  const places = found.references.map((each) => placeOf(name, { ...each, detail: 'reference' }));
  return listed(found, places, found.moreReferences);
}

function placeOf(name: string, place: { path: string; line: number; detail: string }): Place {
  return { kind: 'symbol', name, ...place, evidence: 'symbol' };
}

function listed({ commit, repository }: Found, all: readonly Place[], more: number): Places[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_PLACES_OF_USER);
  const morePlaces = all.length - shown.length + more;
  return [{ repoId: repository.id, repoName: repository.name, commit, places: shown, morePlaces }];
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
