/** The sentences of a summary, each with links to the code that shows it. */
import { useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { inOneLine } from '../code/marked-text.tsx';
import { PlaceLink } from '../code/place-link.tsx';

export type Summary = CallOutput<'list-summaries'>['summaries'][number];
export type Sentence = Summary['sentences'][number];

const EVIDENCE_SHOWN = 2;

/** With `short`, only the first sentences, and a button for the rest. */
export function SummaryText({ summary, short }: { summary: Summary; short?: number }) {
  const [isOpen, setOpen] = useState(false);
  const { commit, repoId, sentences } = summary;
  const shown = short === undefined || isOpen ? sentences : sentences.slice(0, short);
  const hidden = sentences.length - shown.length;
  return (
    <div className="grid gap-2 text-sm">
      {shown.map((sentence) => (
        <SentenceText key={sentence.text} {...{ commit, repoId, sentence }} />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="min-h-6 justify-self-start text-[0.8125rem] text-accent hover:underline"
        >
          Show {hidden} more {hidden === 1 ? 'sentence' : 'sentences'}
        </button>
      )}
    </div>
  );
}

export function SentenceText(props: { sentence: Sentence; repoId: string; commit: string }) {
  const { commit, repoId, sentence } = props;
  const [isOpen, setOpen] = useState(false);
  const { evidence } = sentence;
  const shown = isOpen ? evidence : evidence.slice(0, EVIDENCE_SHOWN);
  const hidden = evidence.length - shown.length;
  return (
    <div>
      <p className="text-pretty wrap-anywhere">{withCode(sentence.text)}</p>
      <ul aria-label="Evidence" className="flex flex-wrap gap-x-3 gap-y-0.5">
        {shown.map(({ line, path }) => (
          <li key={`${path}:${line}`} className="min-w-0">
            <PlaceLink {...{ commit, line, path, repoId }} />
          </li>
        ))}
        {hidden > 0 && (
          <li>
            <button
              type="button"
              onClick={() => setOpen(true)}
              className="min-h-6 text-xs text-accent hover:underline"
            >
              {hidden} more {hidden === 1 ? 'place' : 'places'}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Names between backticks are shown as code. */
function withCode(text: string) {
  return inOneLine(text)
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
        <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">
          {part}
        </code>
      ) : (
        part
      ),
    );
}
