/**
 * Comparing texts, without knowing what they are about. Pure, and free of Node.js: the web app is built with it too, so
 * that both show the same difference.
 */

export { compareLines, compareWords, countChangedWords, type WordPiece } from './compare-words.ts';
export { type CodeSpan, findCodeSpans, plainText } from './inline-text.ts';
export {
  type Block,
  type BlockKind,
  fenceInfo,
  MAX_BLOCKS,
  splitBlocks,
} from './markdown-blocks.ts';
export { oneLine } from './one-line.ts';
export { findReferences, mentionedIn, type Reference } from './references.ts';
export {
  parseSearchQuery,
  quoteSearchText,
  type SearchFilter,
  type SearchQuery,
  searchQueryFor,
  withoutSearchFilters,
  writeSearchFilter,
} from './search-query.ts';
export { diffSequences, type Hunk, internTokens } from './sequence-diff.ts';
export { readSuggestions, type SuggestionBlock, suggestedLines, suggestionAt } from './suggestions.ts';
export { countWords, isWord, splitWords } from './words.ts';
