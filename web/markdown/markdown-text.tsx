/** A short Markdown text, such as a comment: line breaks are kept, and headings don't become headings of the page. */
import './markdown.css';
import { Formatted } from './formatted.tsx';
import { useKeptMarkdown } from './parse/use-kept-markdown.ts';

export interface MarkdownTextProps {
  content: string;
}

const NONE: never[] = [];

export function MarkdownText({ content }: MarkdownTextProps) {
  const { key, parsed } = useKeptMarkdown(content);
  return (
    <div className="markdown markdown-text" aria-busy={!parsed}>
      {parsed?.kind === 'tree' ? (
        <Formatted key={key} tree={parsed.tree} highlights={NONE} open={undefined} hasOutline={false} />
      ) : (
        // The source, while it is being parsed and if it can't be parsed.
        <p className="plain-source">{content}</p>
      )}
    </div>
  );
}
