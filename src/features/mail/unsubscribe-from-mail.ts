/** POST /api/v2/mail/unsubscribe/:token: turns off all mail to the person that the token names (RFC 8058). */
import { definePublicOperation, type PublicContext } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { UnsubscribeFromMailInput } from './contract.ts';
import { saveFrequencies, selectRecipient } from './mail-store.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

const OFF = {
  comments: 'off',
  replies: 'off',
  reviewRequests: 'off',
  decisions: 'off',
  updates: 'off',
} as const;

export const unsubscribeFromMail = definePublicOperation({
  name: 'unsubscribe-from-mail',
  group: 'Inbox',
  summary: 'Unsubscribe from mail',
  description:
    'The one-click unsubscribe of RFC 8058, without signing in: turns off all mail of one organization to one person. The body is ignored.',
  http: { method: 'POST', path: '/api/v2/mail/unsubscribe/:token', status: 204, signedBody: 'small' },
  input: UnsubscribeFromMailInput,
  output: null,
  problems: ['not_found'],
  async admit(context, { token }) {
    await findPerson(context, token);
  },
  async run(context, { token }) {
    await saveFrequencies(context.db, await findPerson(context, token), OFF, context.clock.now());
  },
});

async function findPerson({ db, secrets }: PublicContext, token: string) {
  const person = readUnsubscribeToken(secrets, token);
  if (!person || !(await selectRecipient(db, person))) throw notFound('The subscription');
  return person;
}
