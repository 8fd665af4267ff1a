/** Switches single sign-on of an organization off and on, for the operator's command: the way in when the provider is broken. */
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { followSettings } from './save-settings.ts';
import { selectSettings, updateSwitchedOff } from './settings-store.ts';

export type SwitchOutcome = { changed: boolean; name: string; issuer: string; passwordSignIn: boolean };

/** Undefined when the organization has no single sign-on. */
export function switchSingleSignOn(
  db: Db,
  source: AuditSource,
  on: boolean,
): Promise<SwitchOutcome | undefined> {
  const { at, organizationId } = source;
  return inTransaction(db, async (transaction) => {
    const row = await selectSettings(transaction, organizationId, { hold: true });
    if (!row) return undefined;
    const changed = (row.switched_off_at === null) !== on;
    if (changed) {
      await updateSwitchedOff(transaction, organizationId, on ? null : at);
      await recordAudit(transaction, source, {
        action: on ? 'single_sign_on.switched_on' : 'single_sign_on.switched_off',
        subjectId: organizationId,
        subjectName: row.name,
      });
      await followSettings(transaction, organizationId);
    }
    return { changed, name: row.name, issuer: row.issuer, passwordSignIn: row.password_sign_in };
  });
}
