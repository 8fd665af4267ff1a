/**
 * Markdown for the pages. Import this lazily (from a lazily loaded page): it includes the parser.
 *
 * - `<MarkdownView content highlights? onSelect? onHighlightClick? onReady? />` shows a whole text, such as a plan. Its
 *   headings have the ids of the outline. Positions are offsets into `content` in UTF-16 code units, as in `String.slice`.
 * - `<MarkdownText content />` shows a short text, such as a comment, with its line breaks.
 * - `useOutline(content)` returns the headings for a table of contents beside a view of the same text; it is parsed only once. `outlineOf(tree)` is the
 *   same for a parsed tree, which `useMarkdown(content)` returns.
 * - `selectionToSource(getSelection())` returns the selected range of the source.
 * - `findHighlight(within, id)` returns the first element of a highlight, to scroll to it or to align with it.
 *
 * @example
 *   <MarkdownView
 *     content={version.content}
 *     highlights={threads.map(({ id, start, end }) => ({ id, start, end, tone: id === open ? 'active' : 'comment' }))}
 *     onSelect={(selected) => setDraft(selected)} // { start, end, quote, rect } | undefined
 *     onHighlightClick={([id]) => openThread(id!)} // ids of all highlights there, the shortest first
 *   />
 */

export { FileImages, FileLinks, ReferenceLinks } from './inline.tsx';
export { MarkdownText, type MarkdownTextProps } from './markdown-text.tsx';
export { MarkdownView, type MarkdownViewProps } from './markdown-view.tsx';
export { type OutlineEntry, outlineOf } from './outline.ts';
export type { Highlight, HighlightTone } from './paint.ts';
export { findHighlight } from './painted-text.tsx';
export { useMarkdown, useOutline } from './parse/use-markdown.ts';
export { selectionToSource } from './selection.ts';
export { SuggestionActions, SuggestionBase } from './suggestion.tsx';
export { Tickable } from './tickable.tsx';
export type { MarkdownTree, Parsed, RefusedReason, SourceRange } from './tree.ts';
export type { SelectedText } from './use-selected-text.ts';
