/** Why a git process failed: a reason for programs, details for the log, and a message for users. */

export type GitFailureReason =
  | 'exit'
  | 'timeout'
  | 'aborted'
  | 'too_much_output'
  /** No output for too long. */
  | 'stalled'
  /** The server no longer advertises any branches, or isn't serving the repository. */
  | 'no_branches'
  | 'not_installed';

const TAIL_CHARACTERS = 4000;

export class GitFailure extends Error {
  readonly reason: GitFailureReason;
  readonly exitCode: number | null;
  /** The end of stderr, sanitized for the log: one line each, no secrets, no control characters. */
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

/** stderr without progress, control characters, passwords in URLs and this call's secrets. */
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

/** Output of git or ssh, and the message for users. The first match wins. */
const EXPLANATIONS: [RegExp, string][] = [
  [
    /from proxy after CONNECT|Proxy CONNECT aborted|resolve proxy|CONNECT tunnel failed/i,
    'The outgoing proxy did not connect to the server. Ask the operator to check HTTPS_PROXY and NO_PROXY.',
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|HTTP 40[13]|error: 40[13]\b|terminal prompts disabled/i,
    'Authentication failed. Enter a user name and a password or access token with read access to the repository.',
  ],
  [
    /Permission denied|no matching host key|Load key|invalid format/i,
    'The server rejected the SSH key. Check that the key is in OpenSSH format without a passphrase, and that it has read access to the repository.',
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    'The SSH host key of the server has changed. If you expected this, ask the operator to remove the old key from the known hosts file.',
  ],
  [
    /error: 30[1278]\b|unable to update url base from redirection/i,
    "The server redirects to another address. Redirects aren't followed: enter the repository's current address.",
  ],
  [
    /dubious ownership/i,
    "The folder belongs to another user, so git can't read it. Ask the operator to change its owner.",
  ],
  [
    /not found|does not exist|does not appear to be a git repository|error: 404\b|no such file/i,
    'Repository not found. Check the address and, if the repository is private, that the credential has access to it.',
  ],
  [
    /server certificate|SSL certificate|certificate verif/i,
    "The server's certificate isn't trusted. Check the address, or ask the operator to add your certificate authority with NODE_EXTRA_CA_CERTS.",
  ],
  [
    /Could not resolve host|Name or service not known/i,
    "The server's host name could not be resolved. Check the address.",
  ],
  [
    /Connection refused|Connection timed out|Network is unreachable|No route to host|Failed to connect|Connection reset|Connection closed|Operation too slow/i,
    'The server could not be reached. Check the address; the service will retry later.',
  ],
  [/No space left on device/i, 'The disk is full. Ask the operator to free disk space.'],
];

const BY_REASON: Record<Exclude<GitFailureReason, 'exit'>, string> = {
  timeout: 'The server took too long to answer. The service will retry later.',
  stalled: 'The server did not answer, or stopped sending. The service will retry later.',
  no_branches:
    'The server no longer lists any branches. The service will retry later; if the repository was emptied on purpose, remove it and add it again.',
  aborted: 'The fetch was cancelled. The service will retry later.',
  too_much_output: 'The repository exceeds the size limit. Ask the operator to raise it.',
  not_installed: 'git is not installed on the server. Ask the operator to install it.',
};

/** A message for users: what is wrong and what to do. Never includes anything the server sent. */
export function explainGitFailure(failure: GitFailure): string {
  if (failure.reason !== 'exit') return BY_REASON[failure.reason];
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(failure.stderrTail));
  return (
    known?.[1] ?? "git could not read the repository. Check the address; git's output is in the service log."
  );
}
