/** An event as a message for Slack or Mattermost. Pure. */
import type { NamedPeople } from './chat-people.ts';
import type { WebhookEventKind, WebhookFormat } from './contract.ts';
import type { DescribedEvent } from './delivery-payload.ts';

const EXCERPT_CHARACTERS = 300;
/** More would be a list. */
const MAX_NAMED = 20;

/** Events that are not listed, such as edits, are not sent to chats. */
const PHRASES: Partial<Record<WebhookEventKind, string>> = {
  plan_created: 'posted the plan',
  version_added: 'posted a new version of the plan',
  comment_added: 'commented on the plan',
  review_requested: 'requested a review of the plan',
  approved: 'approved the plan',
  changes_requested: 'requested changes to the plan',
  pull_request_opened: 'opened the pull request',
  pull_request_state_changed: 'changed the state of the pull request',
  pull_request_review_requested: 'requested a review of the pull request',
  pull_request_reviewed: 'reviewed the pull request',
  pull_request_review_dismissed: 'dismissed a review of the pull request',
  pull_request_conflicted: 'found conflicts in the pull request',
  pull_request_commented: 'commented on the pull request',
  discussion_opened: 'opened a discussion on the pull request',
  discussion_replied: 'replied on the pull request',
};

export type ChatFormat = Exclude<WebhookFormat, 'json'>;

export function isChatEvent(kind: string, data: Record<string, unknown>): boolean {
  return Object.hasOwn(PHRASES, kind) && (findingOf(data)?.number ?? 1) === 1;
}

/** A draft asks nobody: its reviewers are named when it is ready. */
export function isForChat(kind: string, { subject }: DescribedEvent): boolean {
  const [{ state }] = Object.values(subject) as [Record<string, unknown>];
  return kind !== 'pull_request_review_requested' || state !== 'draft';
}

/** The findings of one review are one message, that of the first. */
function findingOf({ finding }: Record<string, unknown>): { number: number; of: number } | undefined {
  return typeof finding === 'object' && finding !== null
    ? (finding as { number: number; of: number })
    : undefined;
}

export function chatMessage(
  format: ChatFormat,
  kind: string,
  { data, subject }: DescribedEvent,
  { actor, people }: { actor: string | null; people: NamedPeople | undefined },
): string {
  const [{ number, repository, state, title, url }] = Object.values(subject) as [Record<string, string>];
  const name = repository === undefined ? title! : `${repository}#${number} ${title}`;
  const findings = findingOf(data)?.of ?? 1;
  const phrase =
    kind === 'pull_request_state_changed'
      ? `changed the state to ${state} of the pull request`
      : findings > 1
        ? `opened ${findings} discussions on the pull request`
        : PHRASES[kind as WebhookEventKind];
  const comment = typeof data.body === 'string' ? `\n> ${quote(format, data.body)}` : '';
  return JSON.stringify({
    text: `${plain(format, actor ?? 'Countersign')} ${phrase} ${link(format, name, url!)}${comment}${people ? named(format, people) : ''}`,
  });
}

function named(format: ChatFormat, { label, names }: NamedPeople): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => plain(format, name));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `\n${label}: ${shown.join(', ')}${more}`;
}

function link(format: ChatFormat, text: string, url: string): string {
  return format === 'slack' ? `<${url}|${plain(format, text)}>` : `[${plain(format, text)}](${url})`;
}

function quote(format: ChatFormat, body: string): string {
  const characters = [...body];
  const cut = characters.length > EXCERPT_CHARACTERS;
  return plain(format, characters.slice(0, EXCERPT_CHARACTERS).join('')) + (cut ? '…' : '');
}

/** Text of people as one line that notifies nobody and has no markup. */
function plain(format: ChatFormat, text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (format === 'slack') {
    return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '¦');
  }
  return line.replace(/[\\`*_{}[\]()#+!|~<>]/g, '\\$&').replaceAll('@', '@\u{200b}');
}
