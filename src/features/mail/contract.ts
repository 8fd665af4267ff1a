/** The shapes and limits of mail. */
import { z } from 'zod';

export const MAIL_FREQUENCIES = ['off', 'now', 'daily'] as const;
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number];

export const MAIL_TOPICS = [
  'comments',
  'replies',
  'mentions',
  'reviewRequests',
  'decisions',
  'updates',
  'watching',
] as const;
export type MailTopic = (typeof MAIL_TOPICS)[number];
export type MailFrequencies = Record<MailTopic, MailFrequency>;

/** Daily mail is sent at this hour. */
export const DIGEST_HOUR_UTC = 7;
export const MAX_DIGEST_ITEMS = 100;

const frequency = (of: string) => z.enum(MAIL_FREQUENCIES).describe(of);
const FREQUENCIES = {
  comments: frequency('Comments on your plans and pull requests.'),
  replies: frequency('Replies in your threads.'),
  mentions: frequency('Texts that mention you or your team.'),
  reviewRequests: frequency('Requests for your review, and pull requests that you are assigned to.'),
  decisions: frequency('Approvals, change requests, merge conflicts and leaked secrets.'),
  updates: frequency('New versions and commits of what you reviewed, merges and closings.'),
  watching: frequency('Pull requests that you or your teams watch.'),
};

export const GetMailSettingsInput = z.object({});
export const MailSettings = z
  .object({
    available: z.boolean().describe('Whether this service sends mail.'),
    address: z.string(),
    ...FREQUENCIES,
  })
  .meta({ id: 'MailSettings' });

export const ChangeMailSettingsInput = z.object(FREQUENCIES).partial();

export const SendTestMailInput = z.object({});
export const SentTestMail = z.object({ address: z.string() }).meta({ id: 'SentTestMail' });

export const UnsubscribeFromMailInput = z.object({
  token: z.string().describe('From the `List-Unsubscribe` header of a message.'),
});
