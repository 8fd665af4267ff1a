/** The names of domains on pages, in the order in which they are listed. */
import type { Domain } from '../../../src/features/architecture/contract.ts';

const NAMES: Record<Domain, string> = {
  BUSINESS_LOGIC: 'Business logic',
  API: 'API',
  DATA: 'Data',
  EVENTS: 'Events',
  AUTH: 'Auth',
  INFRASTRUCTURE: 'Infrastructure',
  UI: 'UI',
  CLI: 'CLI',
  LIBRARY: 'Library',
  TESTS: 'Tests',
};

export const DOMAINS = Object.entries(NAMES) as [Domain, string][];

/** Domains that others have added are shown as they are. */
export function domainName(domain: string): string {
  return NAMES[domain as Domain] ?? domain;
}

export function byDomain(left: { domain: string }, right: { domain: string }): number {
  const place = ({ domain }: { domain: string }) => {
    const found = DOMAINS.findIndex(([name]) => name === domain);
    return found < 0 ? DOMAINS.length : found;
  };
  return place(left) - place(right);
}
