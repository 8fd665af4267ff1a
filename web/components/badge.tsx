/** A short label for a state. */

const KINDS = {
  plain: 'border-line bg-sunken text-quiet',
  accent: 'border-transparent bg-accent-soft text-accent',
  danger: 'border-transparent bg-danger-soft text-danger',
  good: 'border-transparent bg-good-soft text-good',
  warn: 'border-transparent bg-warn-soft text-warn',
};

export function Badge({ kind = 'plain', children }: { kind?: keyof typeof KINDS; children: string }) {
  return (
    <span
      className={`inline-flex h-5 items-center rounded-full border px-2 text-xs font-medium whitespace-nowrap ${KINDS[kind]}`}
    >
      {children}
    </span>
  );
}
