/** A labelled input with its hint and its error, tied together for those who listen to the page. */
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';

const CONTROL =
  'w-full h-9 rounded-md border border-strong-line bg-page px-3 text-sm text-text placeholder:text-quiet aria-invalid:border-danger';

interface Around {
  label: string;
  hint?: ReactNode;
  error?: string;
}

export function TextField({ label, hint, error, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(ties) => <input {...input} {...ties} className={CONTROL} />}
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
        <select {...select} {...ties} className={CONTROL}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

function Labelled({ label, hint, error, children }: Around & { children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
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
        <p id={`${id}-error`} className="text-[0.8125rem] text-danger">
          {error}
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
