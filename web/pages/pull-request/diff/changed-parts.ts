/** The words of a changed line that differ from the line that it replaced or that replaced it. */
import { changedWords, type Part } from '../../../markdown/changed-words.ts';
import type { DiffLine } from './diff-lines.ts';

const NONE: readonly Part[] = [];
const known = new WeakMap<DiffLine, readonly Part[]>();

/** Empty if the whole line counts as changed. */
export function changedParts(line: DiffLine): readonly Part[] {
  const { counterpart } = line;
  if (!counterpart) return NONE;
  const before = known.get(line);
  if (before) return before;
  const [removed, added] = line.kind === 'removed' ? [line, counterpart] : [counterpart, line];
  const [ofRemoved, ofAdded] = changedWords(removed.text, added.text);
  known.set(removed, ofRemoved);
  known.set(added, ofAdded);
  return line === removed ? ofRemoved : ofAdded;
}
