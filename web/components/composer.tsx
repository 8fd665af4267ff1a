/** A text area for a comment: Ctrl+Enter sends it, Ctrl+Shift+Enter sends it the other way, Escape asks before discarding it. Some have a preview. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';
import { useDraft } from './drafts.ts';
import { ProblemNotice } from './form.tsx';
import { useImageUpload } from './images/use-image-upload.tsx';
import { COMMAND_KEY, Keys } from './kbd.tsx';
import { useMentions } from './use-mentions.tsx';

interface ComposerProps {
  /** The name of the draft in which the text is kept. */
  draft: string;
  /** The text before anything is typed. */
  initial?: string;
  label: string;
  placeholder?: string;
  action: string;
  /** The key is the same on every attempt, so that nothing is posted twice. */
  onSend(text: string, key: string): Promise<void>;
  /** A second way to send it. */
  other?: { action: string; onSend(text: string, key: string): Promise<void> };
  /** Without it there is no Cancel button. */
  onLeave?(): void;
  autoFocus?: boolean;
  onFocus?(): void;
  /** Shows the text as others will see it. */
  preview?(text: string): ReactNode;
  /** Text to insert where the cursor is, once for each number, such as a quote. */
  added?: { text: string; number: number } | undefined;
  /** Buttons beside the hint, which can insert text where the cursor is. */
  tools?(insert: (text: string) => void): ReactNode;
}

export function Composer(props: ComposerProps) {
  const {
    action,
    added,
    autoFocus = true,
    draft,
    initial = '',
    label,
    onFocus,
    onLeave,
    onSend,
    other,
    placeholder,
    preview,
    tools,
  } = props;
  const [text, setText] = useDraft(draft, initial);
  const [state, setState] = useState<'writing' | 'sending' | 'leaving'>('writing');
  const [problem, setProblem] = useState<Error>();
  const [isPreview, setIsPreview] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const key = useRef<string>(undefined);
  const hintId = useId();
  const mentions = useMentions(area, setText);
  const isEmpty = text.trim() === '';
  useEffect(() => {
    if (!autoFocus) return;
    // Without scrolling: it is already in view.
    area.current?.focus({ preventScroll: true });
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, [autoFocus]);

  const send = async (way: { onSend: typeof onSend } = { onSend }) => {
    if (isEmpty || state === 'sending' || images.uploading > 0) return;
    setState('sending');
    setProblem(undefined);
    key.current ??= newKey();
    try {
      await way.onSend(text, key.current);
      key.current = undefined;
      setText('');
      setIsPreview(false);
    } catch (error) {
      setProblem(error as Error);
    }
    setState('writing');
  };
  const leave = () => {
    if (!onLeave || state === 'sending') return;
    if (text !== initial && !isEmpty) setState('leaving');
    else discard();
  };
  const discard = () => {
    setText(initial);
    onLeave?.();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send(event.shiftKey ? other : undefined);
    }
    if (event.key === 'Escape' && (onLeave || isPreview)) {
      event.preventDefault();
      // Keeps an enclosing dialog open.
      event.stopPropagation();
      if (state === 'leaving' || isPreview) keepWriting();
      else leave();
    }
  };
  const keepWriting = () => {
    flushSync(() => {
      setState('writing');
      setIsPreview(false);
    });
    area.current?.focus();
  };

  const newest = useRef(text);
  newest.current = text;
  const images = useImageUpload({
    insert,
    replace(before, after) {
      key.current = undefined;
      setText(newest.current.replace(before, () => after));
    },
    fail: setProblem,
  });
  function insert(inserted: string) {
    key.current = undefined;
    setProblem(undefined);
    const at = area.current?.selectionEnd ?? text.length;
    const before = text.slice(0, at);
    const isAfterLine = before === '' || before.endsWith('\n');
    setText(`${before}${isAfterLine ? '' : '\n'}${inserted}${text.slice(at)}`);
    area.current?.focus();
  }
  const insertedNumber = useRef(0);
  useEffect(() => {
    if (added === undefined || added.number === insertedNumber.current) return;
    insertedNumber.current = added.number;
    setIsPreview(false);
    insert(added.text);
  });

  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2" onKeyDown={press} onFocus={onFocus}>
      <legend className="sr-only">{label}</legend>
      {isPreview && (
        <section
          aria-label="Preview"
          className="max-h-80 min-h-[4.75rem] overflow-y-auto rounded-md border border-line px-2.5 py-2 [&_.markdown-text]:text-sm"
        >
          {preview?.(text)}
        </section>
      )}
      <div className="relative grid" hidden={isPreview}>
        <textarea
          ref={area}
          aria-label={label}
          aria-describedby={hintId}
          value={text}
          placeholder={placeholder}
          readOnly={state === 'sending'}
          onChange={(event) => {
            // A different text is a different request.
            key.current = undefined;
            setText(event.target.value);
            mentions.follow();
          }}
          onKeyDown={mentions.onKeyDown}
          onBlur={mentions.close}
          {...images.attributes}
          {...mentions.attributes}
          className="field-sizing-content max-h-80 min-h-[4.75rem] w-full resize-none rounded-md border border-strong-line bg-page px-2.5 py-2 text-sm placeholder:text-quiet data-[dropping=true]:border-accent"
        />
        {mentions.list}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {state === 'leaving' ? (
        <div role="alert" className="flex flex-wrap items-center justify-end gap-2 text-sm">
          <span className="mr-auto">Discard this comment?</span>
          <Button size="small" autoFocus onClick={keepWriting}>
            Keep writing
          </Button>
          <Button size="small" look="destroy" onClick={discard}>
            Discard
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span id={hintId} className="mr-auto flex items-center gap-1.5 text-xs text-quiet">
            <span className="sr-only">Markdown is supported. Send with</span>
            <Keys keys={[COMMAND_KEY, 'Enter']} />
          </span>
          {preview && (
            <Button
              size="small"
              look="quiet"
              aria-pressed={isPreview}
              disabled={isEmpty && !isPreview}
              onClick={() => (isPreview ? keepWriting() : setIsPreview(true))}
            >
              {isPreview ? 'Write' : 'Preview'}
            </Button>
          )}
          {!isPreview && images.button}
          {!isPreview && tools?.(insert)}
          {onLeave && (
            <Button size="small" look="quiet" disabled={state === 'sending'} onClick={leave}>
              Cancel
            </Button>
          )}
          {other && (
            <Button
              size="small"
              title={`${COMMAND_KEY}+Shift+Enter`}
              disabled={isEmpty || state === 'sending'}
              onClick={() => void send(other)}
            >
              {other.action}
            </Button>
          )}
          <Button
            size="small"
            look="primary"
            disabled={isEmpty || images.uploading > 0}
            busy={state === 'sending'}
            onClick={() => void send()}
          >
            {action}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
}
