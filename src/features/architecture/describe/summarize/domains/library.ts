/** The LIBRARY domain: packages that others can use, what they export, and what they are built on. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { type Listed, listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

export function describeLibrary(code: DescribedCode): (Sentence | null)[] {
  const packages = distinct(code.of('package'));
  const own = new Set(packages.map(({ text }) => text));
  const symbols: Listed[] = distinct(code.of('symbol').filter(({ path }) => isPublicFile(path))).map(
    ({ place, text }) => ({
      text: text.replace(/^.*#/s, ''),
      place,
    }),
  );
  const used = distinct(code.of('package', 'uses')).filter(({ text }) => !own.has(text));
  return [
    packagesSentence(packages),
    listSentence('It exports ', symbols, { maxItems: 60 }),
    listSentence('It depends on ', used.map(withoutEcosystem), { maxItems: 80, maxCharacters: 1400 }),
  ];
}

/** `It contains the npm package web-shop.` */
function packagesSentence(packages: Listed[]): Sentence | null {
  const ecosystems = new Set(packages.map(({ text }) => /^[\w.]+(?=:)/.exec(text)?.[0]));
  const [only] = ecosystems.size === 1 ? ecosystems : [];
  const noun = packages.length === 1 ? 'package' : 'packages';
  return only === undefined
    ? listSentence(`It contains the ${noun} `, packages, { maxItems: 40 })
    : listSentence(`It contains the ${only} ${noun} `, packages.map(withoutEcosystem), { maxItems: 40 });
}

/** Where a package says what it is for others: its index. A class of Java is known by its file. */
const isPublicFile = (path: string) =>
  /(?:^|\/)(?:index\.[cm]?[jt]sx?|__init__\.pyi?|[^/]+\.java)$/.test(path);

const withoutEcosystem = ({ place, text }: Listed): Listed => ({ text: text.replace(/^[\w.]+:/, ''), place });
