/** The DATA domain: tables and models, where they are defined, and the databases behind them. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { DATABASES, findKnown } from '../known-software.ts';
import { count, listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';
import { subjectsOf } from './business-logic.ts';

const DATA_PATH =
  /(?:^|\/)(?:models?|entities|entity|migrations?|schemas?|repositories|repository|dao|persistence|storage|db|database)\//i;

export function describeData(code: DescribedCode): (Sentence | null)[] {
  const owned = distinct(code.of('table'));
  const names = new Set(owned.map(({ text }) => text));
  const read = distinct(code.of('table', 'uses')).filter(({ text }) => !names.has(text));
  const models = code.sources.filter((path) => DATA_PATH.test(path));
  return [
    listSentence(`It defines ${count(owned.length, 'table')}: `, owned, {
      maxCharacters: 1800,
      maxItems: 120,
    }),
    listSentence('It reads or writes the tables ', read, { maxItems: 40 }),
    listSentence('It stores data in ', findKnown(code, DATABASES)),
    listSentence('Its models and queries are about ', subjectsOf(models, code), { maxItems: 60 }),
  ];
}
