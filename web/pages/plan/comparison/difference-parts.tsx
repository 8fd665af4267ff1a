/** The parts of a comparison: formatted, or as lines of the source. */
import { UnfoldVertical } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MarkdownView } from '../../../markdown/index.ts';
import { formatCount } from '../format.ts';
import type { Words } from './changed-words.tsx';
import {
  changedCheckbox,
  type FormattedChange,
  formatChange,
  linesOf,
  type Part,
  withoutIndent,
} from './difference-model.ts';

type ChangePart = Extract<Part, { type: 'change' }>;

const LOOKS = {
  added: { word: 'Added', look: 'border-good bg-good-soft/40', color: 'text-good' },
  removed: { word: 'Removed', look: 'border-danger bg-danger-soft/40', color: 'text-danger' },
  changed: { word: 'Changed', look: 'border-warn', color: 'text-warn' },
  moved: { word: 'Moved here', look: 'border-accent', color: 'text-accent' },
};

export function PartView({ part, asSource }: { part: Part; asSource: boolean }) {
  if (part.type === 'folded') return <Folded part={part} asSource={asSource} />;
  if (part.type === 'same') return <Unchanged part={part} asSource={asSource} />;
  const { color, look, word: usual } = LOOKS[part.change];
  const checked = part.change === 'changed' && changedCheckbox(part.before, part.after);
  const word = checked ? `Marked as ${checked}` : usual;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a landmark for each change too much.
    <div
      role="group"
      data-change=""
      tabIndex={-1}
      aria-label={word}
      className={`relative scroll-mt-24 outline-offset-4 ${asSource ? '' : `rounded-r-md border-l-[3px] py-2 pr-3 pl-4 ${look}`}`}
    >
      {!asSource && (
        <p aria-hidden="true" className={`mb-1 text-xs font-medium ${color}`}>
          {word}
        </p>
      )}
      {asSource || (part.change === 'changed' && part.isCode) ? (
        <Lines part={part} isSource={asSource} />
      ) : (
        <Formatted part={part} />
      )}
    </div>
  );
}

function Formatted({ part }: { part: ChangePart }): ReactNode {
  if (part.change === 'removed') {
    return (
      <del className="block no-underline">
        <MarkdownView content={withoutIndent(part.before)} />
      </del>
    );
  }
  const isSameText = part.change !== 'changed' || changedCheckbox(part.before, part.after);
  if (isSameText) return <MarkdownView content={withoutIndent(part.after)} />;
  const formatted: FormattedChange = part.words
    ? formatChange(part.before, part.after, part.words)
    : { kind: 'sides', before: plain(part.before), after: plain(part.after) };
  if (formatted.kind === 'source') return <Lines part={part} isSource={false} />;
  if (formatted.kind === 'merged') {
    return (
      <div className="[&_mark[data-tone=removed]+mark[data-tone=added]]:ml-0.5">
        <MarkdownView {...formatted.text} />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      <del className="block rounded-md bg-danger-soft/50 p-2 no-underline">
        <MarkdownView {...formatted.before} />
      </del>
      <ins className="block rounded-md bg-good-soft/50 p-2 no-underline">
        <MarkdownView {...formatted.after} />
      </ins>
    </div>
  );
}

function plain(text: string) {
  return { content: withoutIndent(text), highlights: [] };
}

function Unchanged({ part, asSource }: { part: Part; asSource: boolean }) {
  if (asSource) return <Lines part={part} isSource />;
  return (
    <div className="pl-[1.1875rem] text-quiet">
      <MarkdownView content={withoutIndent(part.after)} />
    </div>
  );
}

function Folded({ part, asSource }: { part: Extract<Part, { type: 'folded' }>; asSource: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Unchanged part={part} asSource={asSource} />;
  return (
    <button
      type="button"
      onClick={() => setIsOpen(true)}
      className="flex w-full items-center gap-2 rounded-md bg-sunken px-4 py-1.5 text-left text-xs text-quiet hover:text-text"
    >
      <UnfoldVertical className="size-3.5" aria-hidden="true" />
      {formatCount(part.count, 'unchanged block')}
    </button>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '−' };
const LINE_LOOKS = { same: '', added: 'bg-good-soft', removed: 'bg-danger-soft' };

function Lines({ part, isSource }: { part: Part; isSource: boolean }) {
  const lines = isSource ? [...part.blankLines, ...linesOf(part)] : linesOf(part);
  return (
    <table className="w-full table-fixed border-collapse font-mono text-xs leading-relaxed">
      <caption className="sr-only">Lines of the source</caption>
      <colgroup>
        <col className="w-10" />
        <col className="w-10" />
        <col className="w-5" />
        <col />
      </colgroup>
      <tbody>
        {lines.map(({ after, before, change, words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes; another one is a new list.
          <tr key={index} className={LINE_LOOKS[change]}>
            <td className="pr-2 text-right align-top text-quiet tabular-nums select-none">{before}</td>
            <td className="pr-2 text-right align-top text-quiet tabular-nums select-none">{after}</td>
            <td className="align-top select-none">
              <span className="sr-only">{change === 'same' ? '' : change}</span>
              <span aria-hidden="true">{SIGNS[change]}</span>
            </td>
            <td className="wrap-anywhere whitespace-pre-wrap">
              <LineWords words={words} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** On a colored line, the words that differ have a stronger color. */
function LineWords({ words }: { words: Parameters<typeof Words>[0]['words'] }) {
  return words.map(({ change, text }, index) =>
    change === 'same' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <span key={index}>{text}</span>
    ) : (
      <strong
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        key={index}
        className={`rounded-sm font-semibold ${change === 'added' ? 'bg-good/25' : 'bg-danger/25'}`}
      >
        {text}
      </strong>
    ),
  );
}
