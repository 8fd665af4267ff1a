/** A finding on the terminal, the same from a review on this machine and from a service. */
import { printable } from '../terminal/printable.ts';

export interface PrintedFinding {
  file: string;
  line: number;
  /** Older services don't send it. */
  side?: string;
  title: string;
  scenario: string;
  quote: string;
  /** A line for each place that shows it. */
  evidence: string[];
  check: string;
  /** A service sends the quote as it is printed. */
  claim?: string;
}

export function describeFinding(finding: PrintedFinding): string {
  // Secrets are truncated.
  const cut = finding.claim === 'secret' ? '…' : '';
  return [
    `${printable(describePlace(finding))}  ${printable(finding.title)}`,
    `  ${printable(finding.scenario)}`,
    `  > ${printable(finding.quote.trim())}${cut}`,
    ...finding.evidence.map((place) => `  ${printable(place)}`),
    `  ${printable(finding.check)}\n`,
  ].join('\n');
}

export function describePlace({ file, line, side }: Pick<PrintedFinding, 'file' | 'line' | 'side'>): string {
  return `${file}:${line}${side === 'base' ? ' (before the change)' : ''}`;
}
