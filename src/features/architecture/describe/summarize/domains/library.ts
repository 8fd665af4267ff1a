/** The LIBRARY domain: packages that others can use, what they export, and what they are built on. */
import type { Sentence } from '../../summary-row.ts';
import { importsOf } from '../dependencies.ts';
import type { DescribedCode } from '../described-code.ts';
import { isTool } from '../kinds-of-paths.ts';
import { isKnown } from '../known-software.ts';
import { type Listed, someSentence } from '../write-sentence.ts';
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
  return [
    packagesSentence(code, packages),
    isApplication ? null : someSentence('It exports names such as ', exportsOf(code)),
    someSentence('Its dependencies include ', dependenciesOf(code)),
  ];
}

/** A single one that is named like the repository says nothing new. Of each ecosystem in turn: the same client can be one of many. */
function packagesSentence(code: DescribedCode, packages: Listed[]): Sentence | null {
  const byEcosystem = Map.groupBy(packages, ({ text }) => /^[\w.]+(?=:)/.exec(text)?.[0] ?? '');
  const named = packages.filter(({ text }) => !text.toLowerCase().endsWith(code.shortName.toLowerCase()));
  if (named.length === 0 && byEcosystem.size < 3) return null;
  const of = (ecosystem: string) => NOUNS[ecosystem] ?? 'package';
  if (byEcosystem.size === 1)
    return someSentence(
      `It has ${of([...byEcosystem.keys()][0]!)}s such as `,
      packages.map(withoutEcosystem),
    );
  const turns = [...byEcosystem].map(([ecosystem, some]) =>
    some.map((each): Listed => {
      const { place, text } = withoutEcosystem(each);
      return { text: `${text} (${of(ecosystem)})`, place };
    }),
  );
  return someSentence('It has packages such as ', inTurn(turns));
}

const inTurn = (lists: readonly Listed[][]) =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, turn) =>
    lists.flatMap((list) => list[turn] ?? []),
  ).flat();

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

/** Imports are known of these ecosystems. */
const HAS_IMPORTS = /^(?:npm|go):/;

/** Packages that the programs run with and that no other sentence names: those that are imported or declared most often come first. */
function dependenciesOf(code: DescribedCode): Listed[] {
  const imports = importsOf(code.of('symbol', 'uses'));
  const used = code.dependencies.filter(
    ({ name }) => !isKnown(name) && (imports.has(name) || !HAS_IMPORTS.test(name)),
  );
  const manifests = Map.groupBy(used, ({ name }) => name);
  const weight = ({ text }: Listed) => (imports.get(text) ?? 0) + manifests.get(text)!.length;
  const ordered = distinct(used)
    .map((dependency, index) => ({ dependency, index }))
    .sort((left, right) => weight(right.dependency) - weight(left.dependency) || left.index - right.index)
    .map(({ dependency }) => dependency);
  // Each ecosystem in turn: imports are counted in some of them only.
  const turns = [...Map.groupBy(ordered, ({ text }) => text.replace(/:.*$/s, '')).values()];
  // A few packages of another ecosystem belong to a tool.
  const most = Math.max(...turns.map(({ length }) => length));
  return inTurn(turns.filter(({ length }) => length * 4 >= most)).map(withoutEcosystem);
}

const withoutEcosystem = ({ place, text }: Listed): Listed => ({ text: text.replace(/^[\w.]+:/, ''), place });
