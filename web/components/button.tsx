/** Buttons, and links that look like them. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md px-3.5 h-9 text-sm font-medium whitespace-nowrap select-none transition-colors disabled:opacity-60 aria-disabled:opacity-60';
const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-accent-text hover:not-disabled:brightness-110',
  plain: 'border border-line bg-raised hover:not-disabled:bg-sunken',
  quiet: 'text-quiet hover:not-disabled:bg-sunken hover:not-disabled:text-text',
  danger: 'border border-danger text-danger hover:not-disabled:bg-danger-soft',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  /** Shows that it is working, and takes no second click. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({ look = 'plain', busy = false, children, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy}
      className={`${BASE} ${LOOKS[look]} ${className}`}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({
  look = 'plain',
  children,
  ...rest
}: LinkProps & { look?: Look; children: ReactNode }) {
  return (
    <Link {...rest} className={`${BASE} ${LOOKS[look]}`}>
      {children}
    </Link>
  );
}

/** A button that is only a sign; its name is for those who cannot see it, and for the pointer's hint. */
export function IconButton({
  name,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { name: string }) {
  return (
    <button
      type="button"
      title={name}
      {...rest}
      aria-label={name}
      className="inline-flex size-9 items-center justify-center rounded-md text-quiet transition-colors hover:bg-sunken hover:text-text"
    >
      {children}
    </button>
  );
}
