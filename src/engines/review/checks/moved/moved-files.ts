/** Files and folders that were moved while something still imports them at their old path. */
import type { Check } from '../../check.ts';
import { isScript } from '../../code/resolve-module.ts';
import type { FoundLine } from '../../code/review-code.ts';
import { usesOfNamespaces } from './csharp-namespaces.ts';
import { usesOfProjects } from './csharp-projects.ts';
import { describeMoves } from './describe-moves.ts';
import { usesOfGoPackages } from './go-packages.ts';
import { usesInJava } from './java-classes.ts';
import { FIXTURES, findPlaces, type Importer, isStyle, type Places, type Use } from './places.ts';
import { usesInPython } from './python-imports.ts';
import { usesInRuby } from './ruby-requires.ts';
import { usesOfRustModules } from './rust-modules.ts';
import { usesInScript } from './script-imports.ts';
import { usesInStyle } from './style-imports.ts';

const MAX_FILES_READ = 400;
const MAX_FOUND_LINES = 20_000;
const COMPONENT = /\.(vue|svelte)$/;
/** Lines that can import something, by the ending of the file; other lines only contain the word. */
const IMPORTING: [ending: RegExp, line: RegExp][] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/, /["'`]/],
  [/\.pyi?$/, /\bimport\b|["']|^[\s(]*\w+(?:\s+as\s+\w+)?\s*[,)]?\s*(?:#.*)?$|^\s*(?:\w+,\s*)+\w*\)?$/],
  [/\.java$/, /\w/],
  [/\.rb$|\.rake$|(?:^|\/)Rakefile$/, /\b(?:require|require_relative|autoload)\b/],
  [/\.(?:css|scss|sass|less)$/, /@/],
];

export const movedFiles: Check = {
  name: 'moved_file_imported',
  reviewer: 'breaking_changes',
  looksFor: 'imports that still name the old path of a moved file',
  isOffByDefault: true,
  async run(change, code) {
    const places = await findPlaces(change, code);
    if (!places) return [];
    const uses = [
      ...(await usesOfModules(places)),
      ...(await usesOfGoPackages(places)),
      ...(await usesOfRustModules(places)),
      ...(await usesOfNamespaces(places)),
      ...(await usesOfProjects(places)),
    ];
    return describeMoves(change, code, uses);
  },
};

/** Modules that are files, which imports name by their path. */
async function usesOfModules(places: Places): Promise<Use[]> {
  const named = [...places.byName.keys()].filter((name) => name.length > 1);
  const options = { wholeWords: true, leavesOutCommon: true, maxLines: MAX_FOUND_LINES };
  const { lines } = await places.code.find('head', named, options);
  const found: Use[] = [];
  let read = 0;
  for (const [path, own] of Map.groupBy(lines.filter(mayImport), (line) => line.path)) {
    read += 1;
    if (read > MAX_FILES_READ) break;
    const known = new Set<number>();
    for (const use of await usesIn(places, path, own)) {
      if (known.has(use.line.line)) continue;
      known.add(use.line.line);
      found.push(use);
    }
  }
  return found;
}

function mayImport({ path, text }: FoundLine): boolean {
  return !FIXTURES.test(path) && IMPORTING.some(([ending, line]) => ending.test(path) && line.test(text));
}

async function usesIn(places: Places, path: string, lines: FoundLine[]): Promise<Use[]> {
  if (isStyle(path)) return usesInStyle(places, lines);
  const facts = await places.code.symbols('head', path);
  if (!facts || facts.isGenerated) return [];
  const importer: Importer = { path, facts, lines };
  if (isScript(facts.language) || COMPONENT.test(path)) return usesInScript(places, importer);
  if (facts.language === 'python') return usesInPython(places, importer);
  if (facts.language === 'java') return usesInJava(places, importer);
  return facts.language === 'ruby' ? usesInRuby(places, importer) : [];
}
