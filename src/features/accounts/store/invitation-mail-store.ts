/** Queries on the mails of invitations: each is claimed by one worker before it is handed to the mail server. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** Longer than any attempt takes. */
const CLAIM_MS = 5 * 60_000;

export interface ClaimedInvitation {
  id: string;
  email: string;
  role: string;
  token_hash: Buffer;
  expires_at: Date;
  mail_attempts: number;
  inviter: string;
  organization: string;
}

/** Claims the next due mail of an invitation that can still be accepted. */
export async function claimInvitationMail(db: Db, now: Date): Promise<ClaimedInvitation | undefined> {
  const { rows } = await sql<ClaimedInvitation>`
    UPDATE invitations i SET mail_state = 'sending', mail_attempts = mail_attempts + 1,
      mail_claimed_until = ${new Date(now.getTime() + CLAIM_MS)}
    FROM users u, organizations o
    WHERE i.id = (SELECT id FROM invitations WHERE mail_state = 'pending' AND mail_due_at <= ${now}
        AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${now}
      ORDER BY mail_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      AND u.id = i.invited_by AND o.id = i.organization_id
    RETURNING i.id, i.email, i.role, i.token_hash, i.expires_at, i.mail_attempts, u.name AS inviter, o.name AS organization`.execute(
    db,
  );
  return rows[0];
}

/** Those whose sender died: the server may have accepted them. */
export async function abandonInvitationMails(db: Db, now: Date): Promise<void> {
  await sql`UPDATE invitations SET mail_state = 'unclear', mail_claimed_until = NULL
    WHERE mail_state = 'sending' AND mail_claimed_until <= ${now}`.execute(db);
}

export async function finishInvitationMail(
  db: Db,
  mail: ClaimedInvitation,
  end: { state: 'sent' | 'failed' | 'unclear' } | { dueAt: Date },
): Promise<void> {
  await db
    .updateTable('invitations')
    .set({
      mail_claimed_until: null,
      ...('dueAt' in end ? { mail_state: 'pending', mail_due_at: end.dueAt } : { mail_state: end.state }),
    })
    .where('id', '=', mail.id)
    .where('mail_state', '=', 'sending')
    .where('mail_attempts', '=', mail.mail_attempts)
    .execute();
}

/** Sends an invitation again, unless its last mail is on its way or was due a moment ago. */
export async function mailAgain(db: Db, invitationId: string, notSince: Date, at: Date): Promise<void> {
  await sql`UPDATE invitations SET mail_state = 'pending', mail_attempts = 0, mail_due_at = ${at}
    WHERE id = ${invitationId} AND mail_due_at <= ${notSince} AND mail_state NOT IN ('pending', 'sending')`.execute(
    db,
  );
}
