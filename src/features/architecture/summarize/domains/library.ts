/** The LIBRARY domain: packages that others can use, what they export, and what they are built on. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { type Listed, listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

export function describeLibrary(code: DescribedCode): (Sentence | null)[] {
  const packages = distinct(code.of('package'));
  const own = new Set(packages.map(({ text }) => text));
  const symbols: Listed[] = distinct(code.of('symbol')).map(({ place, text }) => ({
    text: text.replace(/^.*#/s, ''),
    place,
  }));
  const used = distinct(code.of('package', 'uses')).filter(({ text }) => !own.has(text));
  return [
    listSentence('It contains the packages ', packages, { maxItems: 40 }),
    listSentence('It exports ', symbols, { maxItems: 60 }),
    listSentence('It depends on ', used.map(withoutEcosystem), { maxItems: 80, maxCharacters: 1400 }),
  ];
}

const withoutEcosystem = ({ place, text }: Listed): Listed => ({ text: text.replace(/^[\w.]+:/, ''), place });
