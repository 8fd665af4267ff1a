/** A short Markdown text, such as a comment: line breaks are kept, headings are not part of the page's own. */
import './markdown.css';
import { Formatted } from './formatted.tsx';
import { useMarkdown } from './use-markdown.ts';

export interface MarkdownTextProps {
  content: string;
}

const NONE: never[] = [];

export function MarkdownText({ content }: MarkdownTextProps) {
  const parsed = useMarkdown(content);
  return (
    <div className="markdown markdown-text" aria-busy={!parsed}>
      {parsed?.kind === 'tree' ? (
        <Formatted key={content} tree={parsed.tree} highlights={NONE} open={undefined} hasOutline={false} />
      ) : (
        // While it is being parsed, and where it cannot be: as it was written.
        <p className="plain-source">{content}</p>
      )}
    </div>
  );
}
