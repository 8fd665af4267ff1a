/** Another text that was saved while this person was editing: both are shown until one is saved, so that nothing is lost. */
import { useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';

export interface OtherText {
  text: string;
  /** It is this person's own, which they put aside for the one that was saved. */
  isOwn: boolean;
  /** Who saved it, if that is known. */
  savedBy: string | null;
}

/** The other text, and ways to choose between it and the one in the field. */
export function useTextConflict(field: { text: string; set(text: string): void }) {
  const [other, setOther] = useState<OtherText | null>(null);
  return {
    other,
    /** `text` was saved by somebody else. */
    show: (text: string, savedBy: string | null) => setOther({ text, isOwn: false, savedBy }),
    swap() {
      if (!other) return;
      field.set(other.text);
      setOther({ ...other, text: field.text, isOwn: !other.isOwn });
    },
    hide: () => setOther(null),
  };
}

export function TextConflict({ conflict }: { conflict: ReturnType<typeof useTextConflict> }) {
  const { hide, other, swap } = conflict;
  const labelId = useId();
  if (!other) return null;
  const { isOwn, savedBy, text } = other;
  const whose = isOwn ? 'Your text' : savedBy === null ? 'Saved meanwhile' : `Saved by ${savedBy}`;
  return (
    <section aria-labelledby={labelId} className="grid min-w-0 grid-cols-1 content-start gap-1.5">
      <h3 id={labelId} className="text-sm font-medium">
        {whose}
      </h3>
      <textarea
        readOnly
        aria-labelledby={labelId}
        value={text}
        className="field-sizing-content max-h-80 min-h-24 w-full resize-none rounded-lg border border-line bg-sunken px-3 py-2 text-sm"
      />
      <p className="text-[0.8125rem] text-quiet">
        {isOwn
          ? 'You’re editing the saved text now. Yours is kept here until you save.'
          : 'Saving replaces this with your text. Copy what you want to keep of it, or use it instead.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={swap}>
          {isOwn ? 'Use my text' : 'Use this text'}
        </Button>
        {!isOwn && (
          <Button size="small" look="quiet" onClick={hide}>
            Keep mine
          </Button>
        )}
      </div>
    </section>
  );
}
