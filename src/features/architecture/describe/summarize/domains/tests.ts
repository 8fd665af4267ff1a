/** The TESTS domain: where tests are, and with what they run. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isTestFile } from '../kinds-of-paths.ts';
import { findKnown, TEST_TOOLS } from '../known-software.ts';
import { exampleFolders } from '../main-folders.ts';
import { someSentence } from '../write-sentence.ts';

/** A page or a message for trying something out. */
const NO_TEST = /\.(?:html?|tmpl|hbs|ejs|css|scss|sql|json|erb|haml|cshtml)$/i;

export function describeTests(code: DescribedCode): (Sentence | null)[] {
  const tests = code.tests.filter((path) => isTestFile(path) && !NO_TEST.test(path));
  return tests.length === 0
    ? []
    : [
        someSentence('It has tests in ', exampleFolders(tests)),
        someSentence('Its dependencies for tests include ', findKnown(code, TEST_TOOLS)),
      ];
}
