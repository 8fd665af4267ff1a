/** Signs a person in from the command line: anyone who can read the database can act as anyone in it. */
import type { SessionLife } from '../../../platform/core/ports/retention.ts';
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import type { Owner } from '../../memberships/index.ts';
import { insertSession } from '../store/session-store.ts';

/** The token of a new session, for the cookie of a browser on this machine. */
export async function signInHere(db: Db, owner: Owner, at: Date, life: SessionLife): Promise<string> {
  const token = newToken();
  const started = await inTransaction(db, (transaction) =>
    insertSession(transaction, {
      id: uuidv7(),
      tokenHash: hashOf(token),
      ...owner,
      userAgent: null,
      address: '127.0.0.1',
      at,
      expiresAt: new Date(at.getTime() + life.idleMs),
    }),
  );
  if (!started) throw new Error('The person is no active member.');
  return token;
}
