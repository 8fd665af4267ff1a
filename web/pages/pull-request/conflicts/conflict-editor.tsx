/** One conflict: both sides, and what is taken of them. */
import { useState } from 'react';
import { TextAreaField } from '../../../components/field.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { type Hunk, type Resolution, textOf } from './resolutions.ts';

export function ConflictEditor(props: {
  /** Its position in the file. */
  name: string;
  path: string;
  baseBranch: string;
  hunk: Hunk;
  resolution: Resolution | undefined;
  onChange(resolution: Resolution): void;
}) {
  const { baseBranch, hunk, name, onChange, path, resolution } = props;
  // Looking at a side again loses nothing.
  const [typed, setTyped] = useState(resolution?.take === 'text' ? resolution.text : undefined);
  const ways: [Resolution['take'], string][] = [
    ['head', 'This branch'],
    ['base', baseBranch],
    ['both', 'Both, this branch first'],
    ['text', 'Edit'],
  ];
  return (
    <fieldset data-open={resolution ? undefined : ''} className="grid min-w-0 grid-cols-1 gap-2 p-4">
      <legend className="sr-only">
        {name} in {path}
      </legend>
      <p aria-hidden="true" className="text-xs text-quiet">
        {name}
      </p>
      <div className="min-w-0 overflow-hidden rounded-lg border border-line">
        <Lines text={hunk.before.join('\n')} look="bg-sunken text-quiet" />
        <div className="grid grid-cols-1 divide-y divide-line border-y border-line md:grid-cols-2 md:divide-x md:divide-y-0">
          <Side name="This branch" text={hunk.head} look="bg-accent-soft" />
          <Side name={baseBranch} text={hunk.base} look="bg-sunken" />
        </div>
        <Lines text={hunk.after.join('\n')} look="bg-sunken text-quiet" />
      </div>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {ways.map(([take, label]) => (
          <Choice
            key={take}
            type="radio"
            name={`${name} in ${path}`}
            checked={resolution?.take === take}
            onChange={() =>
              onChange(take === 'text' ? { take, text: typed ?? textOf(hunk, resolution) } : { take })
            }
          >
            {label}
          </Choice>
        ))}
      </div>
      {resolution?.take === 'text' && (
        <TextAreaField
          mono
          label="Result"
          hint={resolution.text === '' ? 'Empty: both sides are removed.' : undefined}
          spellCheck={false}
          value={resolution.text ?? ''}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange({ take: 'text', text: target.value });
          }}
        />
      )}
    </fieldset>
  );
}

function Side({ look, name, text }: { name: string; text: string; look: string }) {
  return (
    <section aria-label={name} className="min-w-0">
      <p className="truncate px-3 py-1 text-xs text-quiet">{name}</p>
      {text === '' ? (
        <p className="px-3 py-1 text-xs text-quiet">Deleted</p>
      ) : (
        <Lines text={text.replace(/\n$/, '')} look={look} />
      )}
    </section>
  );
}

function Lines({ look, text }: { text: string; look: string }) {
  if (text === '') return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre tabIndex={0} className={`max-h-96 overflow-auto px-3 py-1 font-mono text-xs leading-5 ${look}`}>
      {text}
    </pre>
  );
}
