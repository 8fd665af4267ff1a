/** Why a git process did not do what it was started for: for programs, for the log, and as a sentence for people. */

export type GitFailureReason =
  | 'exit'
  | 'timeout'
  | 'aborted'
  | 'too_much_output'
  /** Nothing was heard from it for too long. */
  | 'stalled'
  /** The server has lost all branches, or shows something else in their place. */
  | 'no_branches'
  | 'not_installed';

const TAIL_CHARACTERS = 4000;

export class GitFailure extends Error {
  readonly reason: GitFailureReason;
  readonly exitCode: number | null;
  /** The end of what it said, fit for a log: one line each, nothing secret, no control characters. */
  readonly stderrTail: string;

  constructor(command: string, reason: GitFailureReason, exitCode: number | null, stderrTail: string) {
    const how = reason === 'exit' ? `exit ${exitCode}` : reason;
    super(`git ${command} failed (${how})${stderrTail === '' ? '' : `: ${stderrTail}`}`);
    this.name = 'GitFailure';
    this.reason = reason;
    this.exitCode = exitCode;
    this.stderrTail = stderrTail;
  }
}

/** What git said, without progress, control characters, passwords in addresses and the secrets of this call. */
export function cleanStderr(raw: string, secrets: string[] = []): string {
  let text = raw;
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '***');
  return text
    .replaceAll(/\/\/[^\s/@]*@/g, '//')
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{FFFD}]/gu, '').trim())
    .filter((line) => line !== '' && !/^(?:remote: )?[A-Z][a-z]+ [a-z]+: +\d+/.test(line))
    .join('\n')
    .slice(-TAIL_CHARACTERS);
}

/** Each with what git or ssh says, and what a person should make of it. The first that fits counts. */
const EXPLANATIONS: [RegExp, string][] = [
  [
    /Authentication failed|could not read (?:Username|Password)|HTTP 40[13]|error: 40[13]\b|terminal prompts disabled/i,
    'The server wants another credential. Give the repository a user name and a password or access token that may read it.',
  ],
  [
    /Permission denied|no matching host key|Load key|invalid format/i,
    'The server did not accept the SSH key. Check that the key is in OpenSSH format without a passphrase, and that it may read the repository.',
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    'The server shows another SSH host key than before. If that is right, ask the operator to remove the old one from the known hosts file.',
  ],
  [
    /error: 30[1278]\b|unable to update url base from redirection/i,
    'The server redirects to another address, which is not followed. Give the address that the repository has now.',
  ],
  [
    /dubious ownership/i,
    'The folder belongs to another user of the machine, so git does not read it. Ask the operator to change its owner.',
  ],
  [
    /not found|does not exist|does not appear to be a git repository|error: 404\b|no such file/i,
    'There is no repository at this address, or the credential may not see it. Check both.',
  ],
  [
    /server certificate|SSL certificate|certificate verif/i,
    "The server's certificate is not trusted. Check the address; for a certificate of your own, the operator must add it to the machine.",
  ],
  [
    /Could not resolve host|Name or service not known/i,
    'The name of the server was not found. Check the address.',
  ],
  [
    /Connection refused|Connection timed out|Network is unreachable|No route to host|Failed to connect|Connection reset|Connection closed|Operation too slow/i,
    'The server could not be reached. Check the address; the service will retry later.',
  ],
  [/No space left on device/i, 'The disk of the service is full. Ask the operator to fix this.'],
];

const BY_REASON: Record<Exclude<GitFailureReason, 'exit'>, string> = {
  timeout: 'The server took too long to answer. The service will retry later.',
  stalled: 'The server did not answer, or stopped sending. The service will retry later.',
  no_branches:
    'The server no longer shows any branches. The service will retry later; if the repository was emptied on purpose, remove it and add it again.',
  aborted: 'The work was stopped. The service will retry later.',
  too_much_output: 'The server sent more than is accepted. The operator sets the limit.',
  not_installed: 'git is not installed on the machine of the service. Ask the operator to fix this.',
};

/** A sentence or two for people: what is wrong and what to do. Nothing that the server said reaches it. */
export function explainGitFailure(failure: GitFailure): string {
  if (failure.reason !== 'exit') return BY_REASON[failure.reason];
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(failure.stderrTail));
  return (
    known?.[1] ??
    'git could not read the repository. Check the address; the log of the service has what git said.'
  );
}
