/** A form that calls an operation: field errors are shown at the fields, other errors above the button. */
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { ApiProblem } from '../api/client.ts';
import { Button } from './button.tsx';
import { keepDraft, readDraft } from './drafts.ts';
import { linesOf } from './line-list.ts';
import { Notice } from './notice.tsx';
import { TextWithCode } from './text-with-code.tsx';

export interface FormState<Values extends Record<string, string>> {
  values: Values;
  /** The attributes of the input for one value. */
  field(name: keyof Values & string): {
    name: string;
    value: string;
    error: string | undefined;
    onChange(event: { target: { value: string } }): void;
  };
  set(name: keyof Values & string, value: string): void;
  busy: boolean;
  problem: Error | undefined;
  /** Shows the problem of another action with the same values, such as a test. */
  fail(problem: Error | undefined): void;
  submit(event: FormEvent): Promise<void>;
  /** Forgets what was typed, if it is kept as a draft. */
  discard(): void;
}

export function useForm<Values extends Record<string, string>>(
  initial: Values,
  send: (values: Values) => Promise<void>,
  /** The name under which what was typed is kept until it is sent: closing a dialog loses nothing. */
  draft?: string,
): FormState<Values> {
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...readValues(draft) }));
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const [sent, setSent] = useState(values);
  const errorOf = (name: string) => {
    if (!(problem instanceof ApiProblem)) return undefined;
    const message = problem.fields.find(({ path }) => path === name)?.message;
    if (message === undefined) return errorOfLines(problem, name, linesOf(sent[name]!));
    if (message === 'must not be blank') return 'This field is required.';
    if (message.startsWith('is required')) return `This field ${message}.`;
    return `${message[0]!.toUpperCase()}${message.slice(1)}.`;
  };
  const discard = () => draft !== undefined && keepDraft(draft, undefined);
  const set = (name: string, value: string) =>
    setValues((before) => {
      const next = { ...before, [name]: value };
      if (draft !== undefined) keepDraft(draft, JSON.stringify(changedValues(initial, next)));
      return next;
    });
  return {
    values,
    busy,
    problem,
    fail: setProblem,
    set,
    discard,
    field: (name) => ({
      name,
      value: values[name]!,
      error: errorOf(name),
      onChange: (event) => set(name, event.target.value),
    }),
    async submit(event) {
      event.preventDefault();
      if (sending.current) return;
      sending.current = true;
      setBusy(true);
      setProblem(undefined);
      setSent(values);
      try {
        await send(values);
        discard();
      } catch (error) {
        setProblem(error as Error);
      } finally {
        sending.current = false;
        setBusy(false);
      }
    },
  };
}

/** Every problem of a list that is typed as one entry a line: its entries are `paths[0]`, `paths[1]` and so on. */
function errorOfLines({ fields }: ApiProblem, name: string, lines: string[]): string | undefined {
  const found = fields.flatMap(({ message, path }) => {
    const line = lines.findIndex((_, index) => path === `${name}[${index}]`);
    return line === -1 ? [] : `\`${lines[line]}\` ${message}.`;
  });
  return found.length > 0 ? found.join('\n') : undefined;
}

function readValues(draft: string | undefined): Record<string, string> {
  const stored = draft === undefined ? undefined : readDraft(draft);
  return stored === undefined ? {} : (JSON.parse(stored) as Record<string, string>);
}

/** Unchanged values are not kept, because they may be different when the form is opened again. */
function changedValues(initial: Record<string, string>, values: Record<string, string>) {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== initial[name]));
}

/** Its text may contain a long name, which wraps. */
const WIDE = 'h-auto! min-h-9 w-full py-1.5 wrap-anywhere whitespace-normal!';

export function Form<Values extends Record<string, string>>(props: {
  form: FormState<Values>;
  action: string;
  children: ReactNode;
  /** Shown beside the button. */
  aside?: ReactNode;
  /** A full-width button, where the form is the page. */
  wide?: boolean;
}) {
  const { action, aside, children, form, wide } = props;
  const shownAtFields =
    form.problem instanceof ApiProblem &&
    form.problem.fields.some(({ path }) => path.replace(/\[\d+\]$/, '') in form.values);
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {children}
      {form.problem && !shownAtFields && <ProblemNotice problem={form.problem} />}
      <div className="flex items-center justify-end gap-2">
        {aside}
        <Button type="submit" look="primary" busy={form.busy} className={wide ? WIDE : ''}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Says how long to wait where waiting helps. */
export function ProblemNotice({ problem }: { problem: Error }) {
  const given = problem instanceof ApiProblem ? problem.retryAfterSeconds : undefined;
  const wait = /\b(wait|try again in)\b/i.test(problem.message) ? undefined : given;
  return (
    <Notice kind="danger">
      {problem instanceof ApiProblem && problem.fields.length > 1 ? (
        <ul>
          {problem.fields.map(({ message, path }) => (
            <li key={`${path} ${message}`}>
              <TextWithCode text={`\`${path}\` ${message}.`} />
            </li>
          ))}
        </ul>
      ) : (
        <TextWithCode text={problem.message} />
      )}
      {wait !== undefined && wait > 90 && ` Try again in ${Math.ceil(wait / 60)} minutes.`}
      {wait !== undefined && wait <= 90 && ` Try again in ${wait} seconds.`}
    </Notice>
  );
}
