/** The UI domain: pages, components and templates. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isStyle, isTool, isUi } from '../kinds-of-paths.ts';
import { findKnown, USER_INTERFACES } from '../known-software.ts';
import { exampleFolders } from '../main-folders.ts';
import { someSentence } from '../write-sentence.ts';

/** Fewer of them, in a lot of code, are a tool or a preview. */
const MIN_FILES = 10;
const MIN_SHARE = 0.03;
/** Pages of these are code like any other. */
const IN_PROGRAMS = USER_INTERFACES.filter(([name]) => name === 'Yew' || name === 'Leptos');

export function describeUi(code: DescribedCode): (Sentence | null)[] {
  const paths = code.sources.filter((path) => isUi(path) && !isStyle(path) && !isTool(path));
  const frameworks = someSentence(
    'Libraries of its user interface include ',
    findKnown(code, USER_INTERFACES),
  );
  if (paths.length < MIN_FILES && paths.length < code.sources.length * MIN_SHARE)
    return findKnown(code, IN_PROGRAMS).length > 0 ? [frameworks] : [];
  return [frameworks, someSentence('It has pages, components or templates in ', exampleFolders(paths))];
}
