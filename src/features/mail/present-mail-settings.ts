/** The mail settings of the caller in their API shape. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { MailSettings } from './contract.ts';
import { selectFrequencies, selectRecipient } from './mail-store.ts';

export async function presentMailSettings({
  actor,
  db,
  settings,
}: Context): Promise<z.input<typeof MailSettings>> {
  const recipient = await selectRecipient(db, actor);
  return {
    available: settings.mail !== undefined,
    address: recipient?.email ?? '',
    ...(await selectFrequencies(db, actor)),
  };
}
