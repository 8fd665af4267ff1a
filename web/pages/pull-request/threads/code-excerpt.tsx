/** The lines that a discussion is about, as they were when it was opened. */
import '../../../parts/code/code.css';
import { CodeLines } from '../../../parts/code/code-lines.tsx';
import { languageOf } from '../../../parts/code/language-of.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import type { NamedLines } from './discussion-place.ts';

const MAX_LINES = 12;

export function CodeExcerpt(props: {
  discussion: Pick<Discussion, 'commentedCode' | 'file' | 'startLine' | 'endLine'>;
  lines: NamedLines;
  label?: string;
}) {
  const { label } = props;
  const { commentedCode } = props.discussion;
  const { file, startLine } = props.lines;
  const all = commentedCode.replace(/\n$/, '').split('\n');
  // The end is nearest to what is being discussed.
  const skipped = Math.max(0, all.length - MAX_LINES);
  const lines = all.slice(skipped).map((text, index) => ({ number: startLine + skipped + index, text }));
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border border-line">
      {label && (
        <figcaption className="border-b border-line bg-sunken px-3 py-1 text-xs text-quiet">
          {label}
        </figcaption>
      )}
      <CodeLines
        label={`Commented code in ${file} at line ${startLine}`}
        language={languageOf(file)}
        lines={lines}
        numberOf={({ number }) => <span className="number" data-number={number} />}
      />
    </figure>
  );
}
