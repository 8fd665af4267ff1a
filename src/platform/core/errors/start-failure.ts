/** The ways a command can fail to start or finish, each with its own exit code and a sentence that says what to do. */

export const EXIT_CODES = {
  failed: { code: 1, meaning: 'Unexpected error; see the log for details.' },
  usage: { code: 2, meaning: 'Invalid command line.' },
  refused: {
    code: 3,
    meaning:
      'The command is valid but cannot be carried out, for example because the email address is unknown.',
  },
  findings: { code: 4, meaning: 'The review has findings.' },
  changes_requested: { code: 5, meaning: 'A reviewer requested changes of the plan.' },
  pending: { code: 6, meaning: 'The plan waits for a review, or the branch has open discussions.' },
  plan_closed: { code: 7, meaning: 'The plan was closed.' },
  not_approved: {
    code: 8,
    meaning: 'The plan is linked to a pull request, but nobody has approved its newest version.',
  },
  configuration: { code: 10, meaning: 'One or more settings are invalid; the message lists all of them.' },
  data_folder_in_use: { code: 11, meaning: 'Another Countersign process is using the data folder.' },
  data_folder_unwritable: { code: 12, meaning: 'The data folder cannot be created or written.' },
  disk_full: { code: 13, meaning: 'The disk with the data folder is full.' },
  postgres_not_starting: { code: 14, meaning: 'The embedded PostgreSQL does not start, or keeps exiting.' },
  database_unreachable: {
    code: 15,
    meaning: 'The PostgreSQL server at DATABASE_URL is unreachable or rejects the connection.',
  },
  database_too_old: { code: 16, meaning: 'The PostgreSQL server is older than 15.' },
  database_newer: { code: 17, meaning: 'The database was migrated by a newer version of Countersign.' },
  port_taken: { code: 18, meaning: 'Cannot listen on HOST and PORT.' },
  node_unusable: { code: 19, meaning: 'No suitable version of Node.js was found.' },
  secret_unusable: {
    code: 20,
    meaning: 'The secret file is missing, damaged, or not the one used for this database.',
  },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type StartFailureKind = keyof typeof EXIT_CODES;

export class StartFailure extends Error {
  readonly kind: StartFailureKind;
  readonly exitCode: number;

  constructor(kind: StartFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StartFailure';
    this.kind = kind;
    this.exitCode = EXIT_CODES[kind].code;
  }
}

/** The `code` of a system or PostgreSQL error (`ENOSPC`, `28P01`, …), or undefined. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
