/** The TESTS domain: what is tested, where, and with what. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { findKnown, TEST_TOOLS } from '../known-software.ts';
import { count, listSentence } from '../write-sentence.ts';
import { subjectsOf } from './business-logic.ts';

export function describeTests(code: DescribedCode): (Sentence | null)[] {
  if (code.tests.length === 0) return [];
  const verb = code.tests.length === 1 ? 'covers' : 'cover';
  return [
    listSentence(`${count(code.tests.length, 'test file')} ${verb} `, subjectsOf(code.tests, code), {
      maxItems: 60,
    }),
    listSentence('Tests run with ', findKnown(code, TEST_TOOLS)),
  ];
}
