/** PATCH /api/v2/mail-settings: changes about what, and how often, the caller gets mail. */
import { defineOperation } from '../../context.ts';
import { ChangeMailSettingsInput, MailSettings } from './contract.ts';
import { saveFrequencies } from './mail-store.ts';
import { presentMailSettings } from './present-mail-settings.ts';

export const changeMailSettings = defineOperation({
  name: 'change-mail-settings',
  group: 'Inbox',
  summary: 'Change your mail settings',
  description:
    '`now`: one message for each item of your inbox; `daily`: one summary a day of what is still unread; `off`: no mail. Applies to this organization only.',
  http: { method: 'PATCH', path: '/api/v2/mail-settings', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ChangeMailSettingsInput,
  output: MailSettings,
  problems: [],
  async run(context, changes) {
    const { actor, clock, db } = context;
    await saveFrequencies(db, actor, changes, clock.now());
    return presentMailSettings(context);
  },
});
