/** A Markdown file on its page, formatted. */
import type { CodeProps } from './code-props.ts';
import { decoded } from './paths.ts';
import { RepositoryMarkdown } from './repository-markdown.tsx';

/** A default export, because React.lazy needs one. */
export default function MarkdownFile(props: CodeProps & { commit: string; content: string }) {
  return (
    <div className="px-4 py-5 sm:px-8 sm:py-7">
      <RepositoryMarkdown {...props} onReady={showHeading} />
    </div>
  );
}

/** The address can name a heading, which didn't exist while the page was loading. */
function showHeading() {
  const id = decoded(location.hash.slice(1));
  if (id) document.getElementById(id)?.scrollIntoView();
}
