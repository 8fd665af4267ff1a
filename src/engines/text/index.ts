/** The door of the text folder: comparing texts, without knowing what they are about. */

export { type CodeSpan, findCodeSpans, plainText } from './inline-text.ts';
export {
  type Block,
  type BlockKind,
  fenceInfo,
  MAX_BLOCKS,
  splitBlocks,
} from './markdown-blocks.ts';
export { oneLine } from './one-line.ts';
export { diffSequences, type Hunk, internTokens } from './sequence-diff.ts';
export { countWords, isWord, splitWords } from './words.ts';
