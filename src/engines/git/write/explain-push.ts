/** Reads from git's output why a push failed. Unless it is certain that the origin didn't take the push, the answer is `unknown`. */
import type { PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import { explainGitFailure, type GitFailure } from '../run/git-failure.ts';

const MAX_MESSAGE_CHARACTERS = 1000;

/** Reasons that git gives. The server compares once more when it moves the branch. */
const LEASE_LOST =
  /^(?:stale info|fetch first|non-fast-forward|needs force|reference already exists|incorrect old value provided|remote ref updated since checkout)$/;
const MOVED_MEANWHILE =
  /cannot lock ref .* (?:is at \S+ but expected|reference already exists|unable to resolve)/;
const IN_THE_WAY = /cannot lock ref .*: 'refs\/heads\/(.+)' exists; cannot create /;
/** The server can't pretend this line: its output has `remote:` before it. */
const REJECTED = /^! \[(?:remote )?rejected\].*? \((.*)\)$/m;
/** Not preceded by `remote:`, so it is git here that says it, before it sends anything. */
const AMBIGUOUS = /^error: dst refspec .* matches more than one$/m;
const NO_PERMISSION =
  /HTTP 40[13]|error: 40[13]\b|Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission (?:to \S+ )?denied|access denied|Write access|read.?only|not (?:allowed|permitted|authorized) to push|service not enabled|insufficient permission|dubious ownership|no write|deploy key/i;
const UNREACHABLE =
  /Could not resolve|Name or service not known|Connection refused|Connection timed out|Network is unreachable|No route to host|Failed to connect|certificate|Host key verification failed|from proxy after CONNECT|Proxy CONNECT aborted|not found|does not exist|does not appear to be a git repository|Load key/i;

const NO_PERMISSION_MESSAGE = 'The credential of the repository is not allowed to push.';

/** `ambiguous`: git sent nothing, because another name at the origin ends like that of the branch. */
export function explainPush(failure: GitFailure): PushOutcome | { kind: 'ambiguous' } {
  if (failure.reason === 'not_installed') return { kind: 'unreachable', message: explainGitFailure(failure) };
  const said = failure.stderrTail;
  if (failure.reason !== 'exit') return { kind: 'unknown', message: explainGitFailure(failure) };
  if (AMBIGUOUS.test(said)) return { kind: 'ambiguous' };
  const [, reason] = REJECTED.exec(said) ?? [];
  if (reason !== undefined) {
    if (LEASE_LOST.test(reason) || MOVED_MEANWHILE.test(said)) return { kind: 'lease_lost' };
    const [, inTheWay] = IN_THE_WAY.exec(said) ?? [];
    if (inTheWay !== undefined) {
      const message = `git can’t keep it beside the branch ${inTheWay}. Delete or rename that first.`;
      return { kind: 'rejected', message, inTheWay };
    }
    return { kind: 'rejected', message: serverMessage(said, reason) };
  }
  if (NO_PERMISSION.test(said)) {
    const message = serverMessage(said, '');
    return { kind: 'no_permission', message: message === '' ? NO_PERMISSION_MESSAGE : message };
  }
  if (UNREACHABLE.test(said)) return { kind: 'unreachable', message: explainGitFailure(failure) };
  return { kind: 'unknown', message: 'The connection to the server ended before it confirmed the push.' };
}

/** Lines that the server printed come before the reason that git gives. */
function serverMessage(said: string, reason: string): string {
  const lines = said
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter((line) => line !== '');
  const own =
    /^(?:pre-receive hook declined|hook declined)$/.test(reason) && lines.length > 0 ? [] : [reason];
  return [...lines, ...own]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_MESSAGE_CHARACTERS);
}
