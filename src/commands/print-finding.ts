/** A finding on the terminal, the same from a review on this machine and from a service. */
import { printable } from './printable.ts';

export interface PrintedFinding {
  file: string;
  line: number;
  title: string;
  scenario: string;
  quote: string;
  /** A line for each place that shows it. */
  evidence: string[];
  check: string;
  claim: string;
}

export function describeFinding(finding: PrintedFinding): string {
  // The quote of a token ends within it.
  const cut = finding.claim === 'secret' ? '…' : '';
  return [
    `${printable(`${finding.file}:${finding.line}`)}  ${printable(finding.title)}`,
    `  ${printable(finding.scenario)}`,
    `  > ${printable(finding.quote.trim())}${cut}`,
    ...finding.evidence.map((place) => `  ${printable(place)}`),
    `  ${printable(finding.check)}\n`,
  ].join('\n');
}
