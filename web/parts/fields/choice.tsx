/** A radio button or checkbox with its label. */
import type { ReactNode } from 'react';

export function Choice(props: {
  type: 'radio' | 'checkbox';
  name: string;
  checked: boolean;
  /** The children say why. */
  disabled?: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}) {
  return (
    <label className="flex min-h-6 items-center gap-2 text-sm">
      <input
        type={props.type}
        name={props.name}
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">{props.children}</span>
    </label>
  );
}
