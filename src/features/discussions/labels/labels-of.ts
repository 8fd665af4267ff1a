/** Where people agreed or disagreed with what was judged of a discussion. Pure. */
import type { DiscussionStatus, StatusCause } from '../contract.ts';

export interface StatusChange {
  to: DiscussionStatus;
  cause: StatusCause;
  /** The commit that was judged. */
  commit: string | null;
  at: Date;
}

export interface Label {
  label: 'addressed' | 'not_addressed';
  /** `overridden`: a person resolved what had not been judged addressed, which can have other reasons. */
  how: 'confirmed' | 'reopened' | 'overridden';
  /** The commit that was judged addressed; null if none was. */
  commit: string | null;
  at: Date;
}

/** `changes`: those of one discussion, in order. A person who changes their mind leaves the last word only. */
export function labelsOf(changes: readonly StatusChange[]): Label[] {
  const labels: Label[] = [];
  let judged: string | null | undefined;
  for (const { at, cause, commit, to } of changes) {
    if (cause === 'judge') judged = commit;
    if (cause === 'reverted') judged = undefined;
    if (cause !== 'person') continue;
    if (judged !== undefined) {
      if (labels.at(-1)?.commit === judged && judged !== null) labels.pop();
      const isAddressed = to === 'resolved';
      labels.push({
        label: isAddressed ? 'addressed' : 'not_addressed',
        how: isAddressed ? 'confirmed' : 'reopened',
        commit: judged,
        at,
      });
    } else if (to === 'resolved') {
      labels.push({ label: 'addressed', how: 'overridden', commit: null, at });
    } else if (labels.at(-1)?.how === 'overridden') labels.pop();
  }
  return labels;
}
