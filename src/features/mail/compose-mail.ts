/** Writes a mail about inbox items, as text and as HTML. Pure. */
import type { MailMessage } from '../../engines/mail/index.ts';
import { escapeHtml } from '../../platform/core/text/escape-html.ts';
import type { InboxKind, InboxRow } from '../inbox/index.ts';

export interface MailFacts {
  /** Names the message: the ID of its inbox item, or of the digest. */
  id: string;
  digest: boolean;
  to: { name: string; address: string };
  organization: string;
  /** Oldest first, at least one. */
  items: readonly InboxRow[];
  /** Without a trailing slash. */
  baseUrl: string;
  unsubscribeToken: string;
}

const PHRASES: Record<InboxKind, string> = {
  comment: 'commented',
  reply: 'replied',
  mentioned: 'mentioned you',
  assigned: 'assigned you',
  review_requested: 'requested your review',
  team_review_requested: 'requested a review by your team',
  approved: 'approved',
  changes_requested: 'requested changes',
  review_dismissed: 'dismissed your review',
  new_version: 'posted a new version',
  new_commits: 'pushed new commits',
  conflicts: 'found conflicts with the base branch',
  leaked_secret: 'found a leaked secret: revoke it, then remove it',
  merged: 'merged the pull request',
  merge_stopped: 'turned off merge when ready',
  closed: 'closed the pull request',
  watched: 'opened a pull request that you watch',
  team_watched: 'opened a pull request that your team watches',
  credential_refused: 'can no longer sign in: the host refused the credential',
};

export function composeMail(facts: MailFacts): MailMessage {
  const { baseUrl, digest, id, items, to, unsubscribeToken } = facts;
  const domain = new URL(baseUrl).hostname;
  const [first] = items as [InboxRow];
  return {
    to,
    subject: digest
      ? `Daily summary: ${items.length} ${items.length === 1 ? 'update' : 'updates'} in ${oneLine(facts.organization)}`
      : titleOf(first),
    ...body(facts),
    messageId: `<${digest ? 'digest' : 'item'}.${id}@${domain}>`,
    ...(!digest && { thread: `<${subjectOf(first)}@${domain}>` }),
    headers: {
      'List-Id': `<notifications.${domain}>`,
      'List-Unsubscribe': `<${baseUrl}/api/v2/mail/unsubscribe/${unsubscribeToken}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  };
}

function body({ baseUrl, items, organization, unsubscribeToken }: MailFacts) {
  const settings = `${baseUrl}/settings/account`;
  const unsubscribe = `${baseUrl}/unsubscribe#token=${unsubscribeToken}`;
  const groups = [...Map.groupBy(items, subjectOf).values()];
  const text = groups
    .map((some) => {
      const lines = some.flatMap((item) => [
        `${whatHappened(item)}:`.replace(/:$/, item.excerpt ? ':' : '.'),
        ...(item.excerpt ? [quoted(item.excerpt)] : []),
        linkTo(item, baseUrl),
        '',
      ]);
      return `${titleOf(some[0]!)}\n\n${lines.join('\n')}`;
    })
    .join('\n');
  const html = groups
    .map((some) => {
      const entries = some.map(
        (item) =>
          `<p style="margin:0 0 4px"><a href="${escapeHtml(linkTo(item, baseUrl))}">${escapeHtml(whatHappened(item))}</a></p>${
            item.excerpt
              ? `<blockquote style="margin:0 0 12px;padding-left:12px;border-left:3px solid #ccc;white-space:pre-wrap">${escapeHtml(item.excerpt)}</blockquote>`
              : ''
          }`,
      );
      return `<h2 style="font-size:16px;margin:16px 0 8px">${escapeHtml(titleOf(some[0]!))}</h2>${entries.join('')}`;
    })
    .join('');
  const why = `You get this because you are a member of ${oneLine(organization)}.`;
  return {
    text: `${text}\n-- \n${why}\nChange what you get: ${settings}\nUnsubscribe: ${unsubscribe}\n`,
    html: `<!doctype html><html><body style="font-family:system-ui,sans-serif;font-size:14px;line-height:1.5">${html}<p style="margin-top:24px;font-size:12px;color:#666">${escapeHtml(why)} <a href="${escapeHtml(settings)}">Change what you get</a> · <a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p></body></html>`,
  };
}

function subjectOf(item: InboxRow): string {
  if (item.code_host_id !== null) return `code-host.${item.code_host_id}`;
  return item.series_id === null ? `pull-request.${item.pull_request_id}` : `plan.${item.series_id}`;
}

function titleOf(item: InboxRow): string {
  if (item.code_host_id !== null) return oneLine(`[Code host] ${item.code_host_name}`);
  return item.series_id === null
    ? oneLine(`[${item.repository}] ${item.pull_request_title} (#${item.number})`)
    : oneLine(`[Plan] ${item.title}`);
}

function whatHappened(item: InboxRow): string {
  if (item.kind !== 'leaked_secret' && item.findings !== null && item.findings > 1)
    return `${item.findings} findings of a review`;
  return `${oneLine(item.actor_name ?? 'Countersign')} ${PHRASES[item.kind]}`;
}

function linkTo(item: InboxRow, baseUrl: string): string {
  if (item.code_host_id !== null) return `${baseUrl}/settings/code-hosts`;
  if (item.series_id !== null) {
    return `${baseUrl}/plans/${item.series_id}${item.thread_id ? `?thread=${item.thread_id}` : ''}`;
  }
  const discussion = item.discussion_id ? `?discussion=${item.discussion_id}` : '';
  return `${baseUrl}/pull-requests/${item.pull_request_id}${discussion}`;
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ');
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
