/** An inline message. */
import type { ReactNode } from 'react';

const KINDS = {
  danger: 'border-danger/40 bg-danger-soft text-danger',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  good: 'border-good/40 bg-good-soft text-good',
  plain: 'border-line bg-sunken text-text',
};

export function Notice({ kind = 'plain', children }: { kind?: keyof typeof KINDS; children: ReactNode }) {
  return (
    <div
      role={kind === 'danger' ? 'alert' : 'status'}
      className={`rounded-md border px-3 py-2 text-sm ${KINDS[kind]}`}
    >
      {children}
    </div>
  );
}
