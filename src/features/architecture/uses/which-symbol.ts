/** Tells symbols of the same name apart: which repositories define the one that somebody wrote. */
import { isTestPath, languageOf } from '../../../engines/facts/index.ts';
import type { SymbolName } from './matching-names.ts';

interface Definition {
  path: string;
  kind: string;
  container: string | null;
  isExported: boolean;
}

/** Definitions and references of a name in one repository. */
export interface HavingName<OneDefinition extends Definition = Definition> {
  repository: { id: string; name: string };
  definitions: OneDefinition[];
  references: { path: string; line: number }[];
}

export interface MeantSymbol<Having extends HavingName> {
  /** The repositories that define it, with the definitions that can be meant; empty if none defines the name. */
  owners: Having[];
  /** Those that define something else with this name, apart from tests. */
  others: Having[];
  /** Whether nothing says which of the owners is meant. */
  isAmbiguous: boolean;
}

export function tellApart<Having extends HavingName>(
  symbol: SymbolName,
  found: readonly Having[],
): MeantSymbol<Having> {
  const defining = found.filter(({ definitions }) => definitions.length > 0);
  const meant = ofBest(defining, (definition, { name }) => scoreOf(symbol, definition, name));
  const inFile =
    meant.length > 0 || symbol.file === null
      ? []
      : found.filter(({ references }) => references.some(({ path }) => isEnd(path, symbol.file!)));
  // The syntax doesn't show every definition: the file is enough.
  const fitting = meant.length > 0 ? meant : inFile.length > 0 ? inFile : defining;
  const owners = fitting.length > 1 ? ofBest(fitting, rankOf, true) : fitting;
  const ids = new Set(owners.map(({ repository }) => repository.id));
  return {
    owners,
    others: defining.filter(
      ({ definitions, repository }) => !ids.has(repository.id) && definitions.some((one) => rankOf(one) > 0),
    ),
    isAmbiguous: owners.length > 1,
  };
}

/** The repositories with the best definition, without those that score nothing; with all of their definitions, or the best alone. */
function ofBest<Having extends HavingName>(
  found: readonly Having[],
  scoreOf: (definition: Definition, repository: { name: string }) => number,
  keepsAll = false,
): Having[] {
  const scored = found.map((each) => {
    const scores = each.definitions.map((definition) => scoreOf(definition, each.repository));
    return { each, scores, best: Math.max(0, ...scores) };
  });
  const best = Math.max(0, ...scored.map((one) => one.best));
  return scored
    .filter((one) => one.best === best && (keepsAll || best > 0))
    .map(({ each, scores }) =>
      keepsAll ? each : { ...each, definitions: each.definitions.filter((_, at) => scores[at] === best) },
    );
}

/** How much of what was written before the name fits a definition; 0 for nothing, or for another file. */
function scoreOf({ file, within }: SymbolName, { container, path }: Definition, repository: string): number {
  const left = [...within];
  const innermost = container?.split(/[^\p{L}\p{N}_$]+/u).findLast((word) => word !== '');
  const inContainer = innermost !== undefined && innermost === left.at(-1) ? 1 : 0;
  if (inContainer) left.pop();
  if (file !== null) {
    if (!isEnd(path, file)) return 0;
    const before = file.endsWith(`/${path}`) ? file.slice(0, -path.length - 1) : null;
    const isRepository = before !== null && isEnd(repository, before);
    return (isRepository ? 6 : path === file ? 4 : 2) + inContainer;
  }
  const segments = path.replace(/\.[^./]*$/, '').split('/');
  // A file of Go, Java and others belongs to its folder; one of Python and JavaScript is a module.
  const folders = segments.slice(0, -1);
  const inModule = [segments, folders].map((each) => {
    let count = 0;
    while (count < left.length && left.at(-1 - count) === each.at(-1 - count)) count += 1;
    return count;
  });
  const ofPath = Math.max(...inModule);
  return inContainer + ofPath + scoreOfRepository(repository, left.slice(0, left.length - ofPath));
}

/** `acme/shop#price` names the whole repository, `gin.Context` its last part. */
function scoreOfRepository(repository: string, written: readonly string[]): number {
  const wholeAndLast = [repository, repository.split('/').at(-1)!].map((name) => name.split(/[/.:]+/));
  const found = wholeAndLast.findIndex((words) =>
    words.every((word, at) => word === written.at(at - words.length)),
  );
  return found === -1 ? 0 : 2 - found;
}

/** Whether one path is the end of the other: people leave the first folders out, or write the repository before them. */
function isEnd(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/** Somebody who writes only the name means a function of the code rather than a field, or something in a test. */
function rankOf({ container, isExported, kind, path }: Definition): number {
  if (isTestPath(path)) return 0;
  if (kind === 'field' || !isExported) return 1;
  return container === null ? 3 : 2;
}

/** Java and Kotlin import a class by the folders that its file is in. */
export function importedNames(definitions: readonly Definition[]): string[] {
  const names = definitions.flatMap(({ path }) => {
    const file =
      /^(?:.*\/)?(?:java|kotlin)\/(.+)\.(?:java|kt)$/.exec(path) ??
      /^(?:.*\/)?src\/(.+)\.(?:java|kt)$/.exec(path);
    const inside = file?.[1];
    return inside ? [`maven:${inside.replaceAll('/', '.')}`] : [];
  });
  return [...new Set(names)];
}

/** Languages that call each other without a server between them; components of Vue and Svelte count as HTML. */
const FAMILIES = [
  ['javascript', 'typescript', 'html'],
  ['java', 'kotlin', 'scala', 'groovy'],
  ['c', 'cpp', 'objective-c', 'swift'],
];

const familyOf = (path: string): string | null => {
  const language = languageOf(path);
  return FAMILIES.find((family) => language !== null && family.includes(language))?.[0] ?? language;
};

/** An equal name in another language is about something else. */
export function inSameLanguages<Place extends { path: string }>(
  references: readonly Place[],
  definitions: readonly { path: string }[],
): Place[] {
  const families = new Set(definitions.map(({ path }) => familyOf(path)));
  return families.size === 0
    ? [...references]
    : references.filter(({ path }) => families.has(familyOf(path)));
}
