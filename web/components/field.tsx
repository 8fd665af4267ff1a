/** A labeled input with its hint and its error, associated for screen readers. */
import { ChevronDown } from 'lucide-react';
import {
  type ChangeEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useRef,
} from 'react';
import { TextWithCode } from './text-with-code.tsx';
import { useMentions } from './use-mentions.tsx';

const CONTROL =
  'rounded-md border border-strong-line bg-page text-sm text-text placeholder:text-quiet aria-invalid:border-danger disabled:opacity-60 [&[readonly]]:border-line [&[readonly]]:bg-sunken';
const AREA = `${CONTROL} field-sizing-content max-h-[40dvh] min-h-24 w-full resize-y px-3 py-2`;
const SIZES = { usual: 'h-9 px-3', small: 'h-8 px-2.5' };

interface Around {
  label: string;
  hint?: ReactNode;
  error?: string;
}

export function TextField({ label, hint, error, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} className={`${CONTROL} ${SIZES.usual} w-full`} />}
    </Labelled>
  );
}

interface TextAreaFieldProps extends Around, TextareaHTMLAttributes<HTMLTextAreaElement> {
  mono?: boolean;
}

/** Grows with its content, within bounds. */
export function TextAreaField({ label, hint, error, mono = false, ...area }: TextAreaFieldProps) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ties) => <textarea {...area} {...ties} className={`${AREA} ${mono ? 'font-mono' : ''}`} />}
    </Labelled>
  );
}

/** For Markdown that others read: completes names after an at sign. */
export function MarkdownField({ label, hint, error, onChange, onKeyDown, ...area }: TextAreaFieldProps) {
  const element = useRef<HTMLTextAreaElement>(null);
  const mentions = useMentions(element, (value) =>
    onChange?.({ target: { value } } as ChangeEvent<HTMLTextAreaElement>),
  );
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ties) => (
        <div className="relative grid">
          <textarea
            {...area}
            {...ties}
            {...mentions.attributes}
            ref={element}
            onChange={(event) => {
              onChange?.(event);
              mentions.follow();
            }}
            onKeyDown={(event) => {
              mentions.onKeyDown(event);
              if (!event.isPropagationStopped()) onKeyDown?.(event);
            }}
            onBlur={mentions.close}
            className={AREA}
          />
          {mentions.list}
        </div>
      )}
    </Labelled>
  );
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...select
}: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ties) => (
        <Select {...select} {...ties}>
          {children}
        </Select>
      )}
    </Labelled>
  );
}

/** A native select with the same look in every browser while it is closed. */
export function Select({
  look = 'usual',
  children,
  ...select
}: SelectHTMLAttributes<HTMLSelectElement> & { look?: keyof typeof SIZES }) {
  return (
    <span className={`relative block ${look === 'small' ? 'w-28' : 'w-full'}`}>
      <select {...select} className={`${CONTROL} ${SIZES[look]} w-full appearance-none pr-8 text-ellipsis`}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-quiet"
      />
    </span>
  );
}

/** Read-only text to copy, shown whole. */
export function SecretText({ label, text }: { label: string; text: string }) {
  return (
    <textarea
      readOnly
      // Browsers that can't fit the height to the text show two lines.
      rows={2}
      spellCheck={false}
      aria-label={label}
      value={text}
      onFocus={(event) => event.target.select()}
      className={`${CONTROL} field-sizing-content min-h-9 min-w-0 flex-1 resize-none px-3 py-2 font-mono text-xs break-all`}
    />
  );
}

function Labelled({ label, hint, error, children }: Around & { children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-[0.8125rem] wrap-anywhere whitespace-pre-line text-danger">
          <TextWithCode text={error} />
        </p>
      )}
    </div>
  );
}

interface Ties {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}
