/** The ways a command can fail to start or finish, each with its own exit code and a sentence that says what to do. */

export const EXIT_CODES = {
  failed: { code: 1, meaning: 'Something unforeseen; the log says more.' },
  usage: { code: 2, meaning: 'The command line is wrong.' },
  refused: {
    code: 3,
    meaning: 'The command was understood but cannot be done, such as an unknown e-mail address.',
  },
  configuration: { code: 10, meaning: 'A setting is wrong; all of them are listed.' },
  data_folder_in_use: { code: 11, meaning: 'Another Countersign runs on the same data folder.' },
  data_folder_unwritable: { code: 12, meaning: 'The data folder cannot be created or written.' },
  disk_full: { code: 13, meaning: 'There is no room left for the data folder.' },
  postgres_not_starting: { code: 14, meaning: 'The embedded PostgreSQL does not start, or keeps exiting.' },
  database_unreachable: { code: 15, meaning: 'DATABASE_URL cannot be reached, or refuses us.' },
  database_too_old: { code: 16, meaning: 'The PostgreSQL server is older than 15.' },
  database_newer: { code: 17, meaning: 'The database was written by a newer Countersign.' },
  port_taken: { code: 18, meaning: 'HOST and PORT cannot be listened on.' },
  node_unusable: { code: 19, meaning: 'No Node.js that can run Countersign was found.' },
  secret_unusable: {
    code: 20,
    meaning: 'The secret file is missing, damaged, or not the one that the database was sealed with.',
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
