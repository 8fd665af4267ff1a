/** The result of statuses of a commit as an icon, with its words for screen readers. */
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';

const LOOKS = {
  success: { icon: CircleCheck, look: 'text-good', words: 'Succeeded' },
  pending: { icon: CircleDashed, look: 'text-warn', words: 'Pending' },
  failure: { icon: CircleX, look: 'text-danger', words: 'Failed' },
  error: { icon: CircleX, look: 'text-danger', words: 'Could not run' },
} as const;

export function StatusIcon({ state }: { state: keyof typeof LOOKS }) {
  const { icon: Icon, look, words } = LOOKS[state];
  return (
    <>
      <Icon className={`mt-[0.15rem] size-4 shrink-0 ${look}`} aria-hidden="true" />
      <span className="sr-only">{words}: </span>
    </>
  );
}

const SUMMARIES = {
  success: 'All statuses succeeded',
  pending: 'Statuses are pending',
  failure: 'A status failed',
} as const;

/** A small mark for lists. */
export function StatusMark({ state }: { state: keyof typeof SUMMARIES | null }) {
  if (state === null) return null;
  const { icon: Icon, look } = LOOKS[state];
  return (
    <span title={SUMMARIES[state]} className="inline-flex">
      <Icon className={`size-3.5 ${look}`} aria-hidden="true" />
      <span className="sr-only">{SUMMARIES[state]}</span>
    </span>
  );
}
