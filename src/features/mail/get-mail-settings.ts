/** GET /api/v2/mail-settings: about what, and how often, the caller gets mail. */
import { defineOperation } from '../../context.ts';
import { GetMailSettingsInput, MailSettings } from './contract.ts';
import { presentMailSettings } from './present-mail-settings.ts';

export const getMailSettings = defineOperation({
  name: 'get-mail-settings',
  group: 'Inbox',
  summary: 'Get your mail settings',
  http: { method: 'GET', path: '/api/v2/mail-settings', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetMailSettingsInput,
  output: MailSettings,
  problems: [],
  run: (context) => presentMailSettings(context),
});
