/** The LIBRARY domain: packages that others can use, what they export, and what they are built on. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isTool } from '../kinds-of-paths.ts';
import { type Listed, listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

const NOUNS: Record<string, string> = {
  npm: 'npm package',
  pypi: 'Python package',
  go: 'Go module',
  cargo: 'crate',
  maven: 'Maven artifact',
  gem: 'gem',
  nuget: '.NET project',
  composer: 'Composer package',
};

export function describeLibrary(code: DescribedCode): (Sentence | null)[] {
  const packages = distinct(code.of('package').filter(({ path }) => !isTool(path)));
  const isApplication = code.of('entry_point').length > 0 || code.of('route').length > 0;
  const symbols = isApplication ? [] : exportsOf(code);
  return [
    ...packagesSentences(packages),
    listSentence('It exports ', symbols, { some: `It exports ${symbols.length} names, among them ` }),
    listSentence('It depends on ', dependenciesOf(code), { some: 'Its dependencies include ' }),
  ];
}

/** `It contains the npm package web-shop.` One sentence for each kind of package. */
function packagesSentences(packages: Listed[]): (Sentence | null)[] {
  const byEcosystem = Map.groupBy(packages, ({ text }) => /^[\w.]+(?=:)/.exec(text)?.[0] ?? '');
  return [...byEcosystem].map(([ecosystem, some]) => {
    const noun = NOUNS[ecosystem] ?? 'package';
    return listSentence(
      `It contains the ${some.length === 1 ? noun : `${noun}s`} `,
      some.map(withoutEcosystem),
      { some: `It contains ${some.length} ${noun}s, among them ` },
    );
  });
}

function exportsOf(code: DescribedCode): Listed[] {
  return distinct(code.of('symbol').filter(({ path }) => isPublicFile(path)))
    .map(({ place, text }) => ({ text: text.replace(/^.*#/s, ''), place }))
    .filter(({ text }) => !/^_|^default$/.test(text));
}

/** The index in its root is what a package says it is for others. */
const isPublicFile = (path: string) =>
  /^(?:(?:packages|libs|crates)\/(?:@[^/]+\/)?[^/]+\/)?(?:(?:src|lib)\/)?(?:index\.[cm]?[jt]sx?|[^/]+\/__init__\.pyi?)$/.test(
    path,
  );

/** Packages that the programs run with: what is written first, of as many manifests as possible, comes first. */
function dependenciesOf(code: DescribedCode): Listed[] {
  const own = new Set(code.of('package').map(({ name }) => name));
  const used = code
    .of('package', 'uses')
    .filter(
      ({ detail, name, path }) => !own.has(name) && isRunning(detail) && !isTool(path) && !SUPPORT.test(name),
    );
  const manifests = Map.groupBy(used, ({ name }) => name);
  const imported = new Map<string, number>();
  for (const { name } of code.of('symbol', 'uses')) {
    // An import names a folder of a Go module.
    let from = name.replace(/#.*$/s, '');
    while (!manifests.has(from) && from.includes('/')) from = from.slice(0, from.lastIndexOf('/'));
    imported.set(from, (imported.get(from) ?? 0) + 1);
  }
  const weight = ({ text }: Listed) => (imported.get(text) ?? 0) + manifests.get(text)!.length;
  const ordered = distinct(used)
    .map((dependency, index) => ({ dependency, index }))
    .sort((left, right) => weight(right.dependency) - weight(left.dependency) || left.index - right.index)
    .map(({ dependency }) => dependency);
  // Each ecosystem in turn: imports are counted in some of them only.
  const turns = [...Map.groupBy(ordered, ({ text }) => text.replace(/:.*$/s, '')).values()];
  // A few packages of another ecosystem belong to a tool.
  const most = Math.max(...turns.map(({ length }) => length));
  const large = turns.filter(({ length }) => length * 4 >= most);
  return ordered.flatMap((_, turn) => large.flatMap((some) => some[turn] ?? [])).map(withoutEcosystem);
}

/** Types, linters and compilers say nothing about a program. */
const SUPPORT = /^npm:(?:@types\/|@babel\/|eslint|prettier|typescript$|tslib$)/;

export const isRunning = (detail: string | undefined) =>
  !/(?:^|\s)(?:dev|indirect|test|build|optional|provided)$/.test(detail ?? '');

const withoutEcosystem = ({ place, text }: Listed): Listed => ({ text: text.replace(/^[\w.]+:/, ''), place });
