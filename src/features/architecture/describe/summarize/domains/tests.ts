/** The TESTS domain: where tests are, and with what they run. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { findKnown, TEST_TOOLS } from '../known-software.ts';
import { mainFolders } from '../main-folders.ts';
import { listSentence } from '../write-sentence.ts';

export function describeTests(code: DescribedCode): (Sentence | null)[] {
  if (code.tests.length === 0) return [];
  const { before, folders } = mainFolders(code.tests);
  return [
    listSentence(`Tests and what they run with are ${before}`, folders),
    listSentence('Tests use ', findKnown(code, TEST_TOOLS)),
  ];
}
