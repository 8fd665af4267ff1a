/** The UI domain: pages, components and templates. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isStyle, isUi } from '../kinds-of-paths.ts';
import { findKnown, USER_INTERFACES } from '../known-software.ts';
import { count, listSentence } from '../write-sentence.ts';
import { subjectsOf } from './business-logic.ts';

export function describeUi(code: DescribedCode): (Sentence | null)[] {
  const paths = code.sources.filter((path) => isUi(path) && !isStyle(path));
  if (paths.length === 0) return [];
  return [
    listSentence('The user interface is built with ', findKnown(code, USER_INTERFACES)),
    listSentence(
      `Its pages, components and templates (${count(paths.length, 'file')}) are about `,
      subjectsOf(paths, code),
      {
        maxCharacters: 1400,
        maxItems: 90,
      },
    ),
  ];
}
