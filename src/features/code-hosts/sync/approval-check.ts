/** Says on a code host, as the check `Countersign: approved`, whether the merge rule of a pull request is met. Pure. */
import type { ReadRequirements } from '../../pull-requests/index.ts';

export interface ApprovalCheck {
  state: 'success' | 'pending' | 'failure';
  title: string;
  /** Markdown. */
  text: string;
}

/** Failed only when something has to change, not while somebody has yet to do something. */
export function approvalCheck({ isMet, requirements }: Omit<ReadRequirements, 'rule'>): ApprovalCheck {
  const missing = requirements.filter((requirement) => !requirement.isMet);
  const isFailed = missing.some(({ kind }) => kind === 'changes_requested');
  const shown = isMet ? requirements : missing;
  return {
    state: isMet ? 'success' : isFailed ? 'failure' : 'pending',
    title: shown.map(({ title }) => plain(title)).join('; '),
    text: requirements
      .map(({ detail, isMet: holds, title }) => {
        const line = `- [${holds ? 'x' : ' '}] ${escaped(title)}`;
        return detail ? `${line}\n  ${escaped(detail)}` : line;
      })
      .join('\n'),
  };
}

/** Hosts show it in one line. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Names of people, plans and statuses are shown as they are, and mention nobody. */
function escaped(text: string): string {
  return plain(text)
    .replace(/[\\`*_{}[\]()#+!|<>~&]/g, '\\$&')
    .replaceAll('@', '@\u200b');
}
