/** Buttons that narrow summaries to one domain. */
import type { Domain } from '../../../src/features/architecture/contract.ts';
import { DOMAINS } from '../../parts/architecture/domains.ts';

const BUTTON =
  'inline-flex h-8 items-center rounded-full border border-line px-3 text-[0.8125rem] whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text aria-pressed:border-transparent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent';

export function DomainFilter(props: { domain: Domain | undefined; onChange(domain?: Domain): void }) {
  return (
    <fieldset className="mb-4 flex flex-wrap gap-1.5">
      <legend className="sr-only">Domain</legend>
      <button
        type="button"
        aria-pressed={props.domain === undefined}
        onClick={() => props.onChange(undefined)}
        className={BUTTON}
      >
        All domains
      </button>
      {DOMAINS.map(([domain, name]) => (
        <button
          key={domain}
          type="button"
          aria-pressed={props.domain === domain}
          onClick={() => props.onChange(domain)}
          className={BUTTON}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
