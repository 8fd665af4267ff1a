/** Buttons, and links that look like them. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger' | 'destroy';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap select-none transition-colors disabled:opacity-60 aria-disabled:opacity-60';
const SIZES = { usual: 'h-9 px-3.5', small: 'h-8 px-2.5' };
const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-accent-text hover:not-disabled:brightness-110 active:not-disabled:brightness-95',
  plain: 'border border-line bg-raised hover:not-disabled:border-strong-line hover:not-disabled:bg-sunken',
  quiet: 'text-quiet hover:not-disabled:bg-sunken hover:not-disabled:text-text',
  // For lists, where it appears many times.
  danger: 'border border-line text-danger hover:not-disabled:border-danger hover:not-disabled:bg-danger-soft',
  // For confirmations.
  destroy: 'bg-danger text-danger-text hover:not-disabled:brightness-110 active:not-disabled:brightness-95',
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  size?: keyof typeof SIZES;
  /** Shows that it is working, and takes no second click. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({
  look = 'plain',
  size = 'usual',
  busy = false,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy}
      className={`${BASE} ${SIZES[size]} ${LOOKS[look]} ${className}`}
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
    <Link {...rest} className={`${BASE} ${SIZES.usual} ${LOOKS[look]}`}>
      {children}
    </Link>
  );
}

/** A link outside the app's routes, such as a download. */
export function ButtonAnchor(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  return <a {...props} className={`${BASE} ${SIZES.usual} ${LOOKS.plain}`} />;
}

/** A button with only an icon; its name is the accessible name and the tooltip. */
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
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-quiet transition-colors hover:bg-sunken hover:text-text"
    >
      {children}
    </button>
  );
}
