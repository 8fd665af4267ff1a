/**
 * Chooses the tests that a change can affect. Imports alone don't tell: every test of an operation starts the whole service, so
 * each would depend on everything. A test counts if it stands beside a changed file, or reaches one within its own feature.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { staticImports } from './source-files.ts';

const ROOT = join(import.meta.dirname, '..');
const IS_TEST = /\.test\.ts$/;

/** Rules on all files, and the recorded replies of every operation and tool: seconds together. */
const ALWAYS = [/^src\/layers[^/]*\.test\.ts$/, /^test\/web-layers\.test\.ts$/, /^test\/compatibility\//];

/** Tests that prove something about files they don't import. */
const PROVEN_BY: [changed: RegExp, tests: RegExp][] = [
  [/^src\/platform\/db\/migrations\//, /^test\/suites\/(package\/upgrades|query-plans\/)/],
  [/-store\.ts$/, /^test\/suites\/query-plans\//],
  [
    /^(docs|README|CHANGELOG|integrations|deploy|scripts\/(render|generate))/,
    /^test\/suites\/package\/(generated|integrations|deploy|docs)/,
  ],
  [/^web\/(parts|components|frame)\//, /^test\/browser\/(accessibility|frame)/],
];

/** Paths are relative to the checkout. */
export function affectedTests(
  changed: string[],
  { tests = listTests(), importsOf = readImportsOf } = {},
): string[] {
  const targets = new Set(changed);
  const folders = changed
    .filter((file) => /^(src|web|test|bench|scripts)\//.test(file))
    .map((file) => folderOfTests(file, tests));
  const isAffected = (test: string) =>
    targets.has(test) ||
    ALWAYS.some((pattern) => pattern.test(test)) ||
    folders.some((folder) => folder !== undefined && test.startsWith(`${folder}/`)) ||
    changed.some(
      (file) => PROVEN_BY.some(([from, to]) => from.test(file) && to.test(test)) || isPageOf(test, file),
    ) ||
    reaches(test, targets, importsOf);
  return tests.filter(isAffected);
}

/** The nearest folder around a file that has tests, within its feature or engine. */
function folderOfTests(file: string, tests: string[]): string | undefined {
  const unit = unitOf(file);
  for (let folder = dirname(file); folder.startsWith(unit); folder = dirname(folder)) {
    if (tests.some((test) => test.startsWith(`${folder}/`))) return folder;
  }
  return undefined;
}

/** `src/features/plans`, `src/engines/search`, `web/pages`: what has rooms of its own. */
function unitOf(file: string): string {
  return dirname(file).split('/').slice(0, 3).join('/');
}

/** `test/browser/plan-threads.test.ts` is about the pages `plan` and `plans`. */
function isPageOf(test: string, changed: string): boolean {
  const page = /^web\/pages\/([^/.]+)/.exec(changed)?.[1]?.replace(/s$/, '');
  return page !== undefined && test.startsWith(`test/browser/${page}`);
}

/** Imports are followed within the test's own unit; in another one, the file that is imported has to be a changed one itself. */
function reaches(test: string, targets: Set<string>, importsOf: (file: string) => string[]): boolean {
  const [unit, seen, queue] = [unitOf(test), new Set([test]), [test]];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    for (const target of importsOf(file)) {
      if (targets.has(target)) return true;
      if (seen.has(target) || unitOf(target) !== unit) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return false;
}

function listTests(): string[] {
  return ['src', 'test', 'web'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => IS_TEST.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Tests hold imports of made-up files in their samples: what does not exist is left out. */
function readImportsOf(file: string): string[] {
  const path = join(ROOT, file);
  if (!/\.tsx?$/.test(file) || !existsSync(path)) return [];
  return staticImports(file, readFileSync(path, 'utf8')).flatMap(({ target }) => target ?? []);
}
