/** Settings → Audit log: who did what, with filters that are part of the address. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { addressOf, type CallInput, type CallOutput, call } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { ButtonAnchor } from '../components/button.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { EmptyState, ErrorState, LoadingRows, Page, ShowMore } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import type { AuditSearch } from '../page-search.ts';
import { SETTING_WORDS } from '../parts/organization/setting-words.ts';

type Event = CallOutput<'list-audit-events'>['events'][number];

const SUSPENSIONS: Record<string, string> = {
  refused_by_provider: 'the provider no longer accepts them',
  sign_in_expired: 'they did not sign in for too long',
  no_longer_allowed: 'they are in no group with access',
};

type Action = NonNullable<CallInput<'list-audit-events'>['action']>;

/** The name of each action, and the sentence that follows the name of who did it. */
const ACTIONS: Record<Action, { name: string; says(event: Event): string }> = {
  'organization.created': {
    name: 'Organization created',
    says: ({ subject }) => `created the organization ${subject.name}`,
  },
  'organization.exported': { name: 'Organization exported', says: () => 'exported the organization' },
  'discussion_labels.exported': {
    name: 'Discussion labels exported',
    says: ({ detail }) => `exported labels of discussions${detail.withCode ? ' with their code' : ''}`,
  },
  'session.started': { name: 'Sign-in', says: () => 'signed in' },
  'session.refused': {
    name: 'Failed sign-in',
    says: ({ subject, detail }) =>
      detail.by === 'single_sign_on'
        ? `failed to sign in with single sign-on: ${String(detail.reason)}`
        : `failed to sign in as ${subject.name}`,
  },
  'session.ended': {
    name: 'Sign-out',
    says: ({ detail }) =>
      detail.by === 'single_sign_on' ? 'signed someone out for the provider' : 'signed out',
  },
  'session.revoked': { name: 'Device signed out', says: () => 'signed out a device' },
  'password.changed': { name: 'Password changed', says: () => 'changed their password' },
  'profile.changed': { name: 'Profile changed', says: ({ detail }) => describeProfileChange(detail) },
  'password.reset': {
    name: 'Password reset',
    says: ({ subject }) => `reset the password of ${subject.name}`,
  },
  'api_key.created': {
    name: 'API key created',
    says: ({ subject }) => `created the API key ${subject.name}`,
  },
  'api_key.revoked': {
    name: 'API key revoked',
    says: ({ subject }) => `revoked the API key ${subject.name}`,
  },
  'agent.signed_in': { name: 'Agent signed in', says: ({ subject }) => `allowed the agent ${subject.name}` },
  'agent.revoked': {
    name: 'Agent revoked',
    says: ({ subject }) => `revoked the agent ${subject.name}`,
  },
  'invitation.created': { name: 'Invitation created', says: ({ subject }) => `invited ${subject.name}` },
  'invitation.revoked': {
    name: 'Invitation revoked',
    says: ({ subject }) => `revoked the invitation for ${subject.name}`,
  },
  'invitation.accepted': { name: 'Invitation accepted', says: () => 'accepted an invitation' },
  'member.added': {
    name: 'Member added',
    says: ({ actor, subject, detail }) =>
      `${actor.id === subject.id ? 'joined' : `added ${subject.name}`} as ${String(detail.role)}`,
  },
  'member.role_changed': {
    name: 'Role changed',
    says: ({ subject, detail }) =>
      `changed the role of ${subject.name} from ${String(detail.from)} to ${String(detail.to)}`,
  },
  'member.deactivated': { name: 'Member deactivated', says: ({ subject }) => `deactivated ${subject.name}` },
  'member.reactivated': { name: 'Member reactivated', says: ({ subject }) => `reactivated ${subject.name}` },
  'member.deleted': { name: 'Member deleted', says: () => 'deleted a person' },
  'member.suspended': {
    name: 'Member suspended',
    says: ({ subject, detail }) => `suspended ${subject.name}: ${SUSPENSIONS[String(detail.reason)] ?? ''}`,
  },
  'member.unsuspended': {
    name: 'Suspension ended',
    says: ({ subject }) => `let ${subject.name} in again after a sign-in`,
  },
  'single_sign_on.changed': {
    name: 'Single sign-on changed',
    says: ({ subject }) => `changed single sign-on with ${subject.name}`,
  },
  'single_sign_on.linked': {
    name: 'Single sign-on linked',
    says: ({ subject, detail }) => `linked ${subject.name} to ${String(detail.email)} at the provider`,
  },
  'single_sign_on.unlinked': {
    name: 'Single sign-on unlinked',
    says: ({ subject }) => `unlinked ${subject.name} from single sign-on`,
  },
  'single_sign_on.link_allowed': {
    name: 'Single sign-on link allowed',
    says: ({ subject }) => `allowed ${subject.name} to link to single sign-on`,
  },
  'single_sign_on.switched_off': {
    name: 'Single sign-on switched off',
    says: ({ subject }) => `switched single sign-on with ${subject.name} off on the host`,
  },
  'single_sign_on.switched_on': {
    name: 'Single sign-on switched on',
    says: ({ subject }) => `switched single sign-on with ${subject.name} on again on the host`,
  },
  'code_host.connected': {
    name: 'Code host connected',
    says: ({ subject }) => `connected the code host ${subject.name}`,
  },
  'code_host.changed': {
    name: 'Code host changed',
    says: ({ subject }) => `changed the code host ${subject.name}`,
  },
  'code_host.disconnected': {
    name: 'Code host disconnected',
    says: ({ subject }) => `disconnected the code host ${subject.name}`,
  },
  'code_host.repository_added': {
    name: 'Repository added from a code host',
    says: ({ subject }) => `added the repository ${subject.name} from a code host`,
  },
  'code_host.repository_changed': {
    name: 'Repository visibility changed',
    says: ({ detail, subject }) =>
      detail.visibility === 'host'
        ? `let the visibility of ${subject.name} follow the code host`
        : `made ${subject.name} visible to the whole organization`,
  },
  'code_host.pattern_added': {
    name: 'Repository pattern added',
    says: ({ detail, subject }) => `added the repositories ${String(detail.pattern)} of ${subject.name}`,
  },
  'code_host.pattern_removed': {
    name: 'Repository pattern removed',
    says: ({ detail, subject }) => `removed the pattern ${String(detail.pattern)} of ${subject.name}`,
  },
  'code_host.account_linked': {
    name: 'Account linked',
    says: ({ subject }) => `linked the account ${subject.name} to a member`,
  },
  'code_host.account_unlinked': {
    name: 'Account unlinked',
    says: ({ subject }) => `unlinked the account ${subject.name}`,
  },
  'code_host.credential_refused': {
    name: 'Code host credential refused',
    says: ({ subject }) => `was refused by the code host ${subject.name}`,
  },
  'job.run_again': {
    name: 'Failed jobs run again',
    says: ({ subject, detail }) =>
      `ran ${detail.count === 1 ? 'a failed job' : `${String(detail.count)} failed jobs`} again: ${subject.name}`,
  },
  'switch.moved': {
    name: 'Setting changed',
    says: ({ subject, detail }) =>
      `turned ${settingName(subject.name)} ${detail.enabled ? 'on' : 'off'}${detail.conditions ? ' with other conditions' : ''}`,
  },
  'excluded_paths.changed': {
    name: 'Excluded paths changed',
    says: ({ subject }) => `changed the excluded paths of ${subject.name}`,
  },
  'merge_rule.created': {
    name: 'Merge rule created',
    says: ({ subject }) => `set a merge rule for ${subject.name}`,
  },
  'merge_rule.changed': {
    name: 'Merge rule changed',
    says: ({ subject }) => `changed the merge rule for ${subject.name}`,
  },
  'merge_rule.deleted': {
    name: 'Merge rule deleted',
    says: ({ subject }) => `deleted the merge rule for ${subject.name}`,
  },
  'pull_request.rule_bypassed': {
    name: 'Merge rule bypassed',
    says: ({ subject, detail }) =>
      `bypassed the merge rule of pull request #${String(detail.number)}, ${subject.name}: ${String(detail.reason)}`,
  },
  'pull_request.review_dismissed': {
    name: 'Review dismissed',
    says: ({ subject, detail }) =>
      `dismissed ${String(detail.reviewer)}’s ${detail.verdict === 'approved' ? 'approval' : 'request for changes'} of pull request #${String(detail.number)}, ${subject.name}: ${String(detail.reason)}`,
  },
  'invitation_link.created': {
    name: 'Invitation link created',
    says: ({ subject, detail }) =>
      `created an invitation link for ${subject.name}, as ${String(detail.role)} for ${String(detail.days)} days`,
  },
  'invitation_link.revoked': {
    name: 'Invitation link revoked',
    says: ({ subject }) => `revoked the invitation link for ${subject.name}`,
  },
  'model.changed': {
    name: 'Model changed',
    says: ({ subject, detail }) =>
      detail.enabled ? `set up the model ${subject.name} for reviews` : 'turned the model for reviews off',
  },
  'reviewer.created': {
    name: 'Reviewer created',
    says: ({ subject }) => `created the reviewer ${subject.name}`,
  },
  'reviewer.changed': {
    name: 'Reviewer changed',
    says: ({ subject, detail }) => `saved version ${String(detail.version)} of the reviewer ${subject.name}`,
  },
  'reviewer.version_activated': {
    name: 'Reviewer version activated',
    says: ({ subject, detail }) =>
      `activated version ${String((detail.version as { to: number }).to)} of the reviewer ${subject.name}`,
  },
  'reviewer.switched': {
    name: 'Reviewer turned on or off',
    says: ({ subject, detail }) =>
      detail.checks
        ? `changed the optional checks of the reviewer ${subject.name}`
        : `turned the reviewer ${subject.name} ${detail.enabled ? 'on' : 'off'}`,
  },
  'reviewer.deleted': {
    name: 'Reviewer deleted',
    says: ({ subject }) => `deleted the reviewer ${subject.name}`,
  },
  'dismissal.undone': {
    name: 'Dismissal undone',
    says: ({ subject }) => `undid the dismissal of the finding “${subject.name}”`,
  },
  'plan.deleted': { name: 'Plan deleted', says: ({ subject }) => `deleted the plan ${subject.name}` },
  'repository.review_settings_changed': {
    name: 'Review settings changed',
    says: ({ subject }) => `changed whom ${subject.name} asks for reviews`,
  },
  'team.created': { name: 'Team created', says: ({ subject }) => `created the team ${subject.name}` },
  'team.changed': { name: 'Team changed', says: ({ subject }) => `changed the team ${subject.name}` },
  'team.members_changed': {
    name: 'Team members changed',
    says: ({ subject }) => `changed the members of the team ${subject.name}`,
  },
  'team.watching_changed': {
    name: 'Team’s watching changed',
    says: ({ detail, subject }) =>
      `${detail.watching ? 'let' : 'no longer lets'} the team ${subject.name} watch ${String(detail.repository)}`,
  },
  'team.deleted': { name: 'Team deleted', says: ({ subject }) => `deleted the team ${subject.name}` },
  'webhook.created': { name: 'Webhook added', says: ({ subject }) => `added the webhook ${subject.name}` },
  'webhook.changed': {
    name: 'Webhook changed',
    says: ({ subject }) => `changed the webhook ${subject.name}`,
  },
  'webhook.deleted': {
    name: 'Webhook deleted',
    says: ({ subject }) => `deleted the webhook ${subject.name}`,
  },
  'webhook.secret_rotated': {
    name: 'Webhook secret rotated',
    says: ({ subject }) => `rotated the secret of the webhook ${subject.name}`,
  },
  'repository.added': {
    name: 'Repository added',
    says: ({ subject }) => `added the repository ${subject.name}`,
  },
  'repository.changed': {
    name: 'Repository changed',
    says: ({ subject }) => `changed the repository ${subject.name}`,
  },
  'repository.removed': {
    name: 'Repository removed',
    says: ({ subject }) => `removed the repository ${subject.name}`,
  },
  'repository.refreshed': {
    name: 'Repository refreshed',
    says: ({ subject }) => `refreshed the repository ${subject.name}`,
  },
  'repository.push_url_shown': {
    name: 'Push URL viewed',
    says: ({ subject }) => `viewed the push URL of the repository ${subject.name}`,
  },
};

function settingName(key: string | null): string {
  return `“${SETTING_WORDS[key as keyof typeof SETTING_WORDS]?.name ?? key}”`;
}

function describeProfileChange(detail: Event['detail']): string {
  const { email, name } = detail as Partial<Record<'email' | 'name', { from: string; to: string }>>;
  return [
    name && `changed their name from ${name.from} to ${name.to}`,
    email && `changed their email from ${email.from} to ${email.to}`,
  ]
    .filter(Boolean)
    .join(' and ');
}

export function AuditPage() {
  const search = useSearch({ from: '/signed-in/admins/settings/audit' });
  const log = useInfiniteQuery({
    queryKey: ['list-audit-events', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-audit-events', { ...filterOf(search), cursor: pageParam, limit: 50 }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const events = log.data?.pages.flatMap((page) => page.events) ?? [];
  const filtered = Object.keys(search).length > 0;
  return (
    <Page
      title="Audit log"
      lead="Who did what, when and from where."
      actions={
        <ButtonAnchor href={addressOf('export-audit-events', filterOf(search))} download>
          <Download className="size-4" aria-hidden="true" />
          Export CSV
        </ButtonAnchor>
      }
    >
      <Filters search={search} />
      {log.error && !log.data && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {!log.data && !log.error && <LoadingRows rows={8} />}
      {log.data && events.length === 0 && (
        <EmptyState title={filtered ? 'No matching events' : 'No events yet'}>
          {filtered ? 'Try a longer time range, or another person or action.' : undefined}
        </EmptyState>
      )}
      {events.length > 0 && (
        <Table label="Audit log" columns={COLUMNS} rows={events} keyOf={(event) => event.id} />
      )}
      <ShowMore pages={log} />
    </Page>
  );
}

/** Days are in the reader's time zone; the last one is included. */
function filterOf({ action, from, until, userId }: AuditSearch): CallInput<'list-audit-events'> {
  const day = (text: string | undefined, plusDays: number) => {
    if (!text) return undefined;
    const date = new Date(`${text}T00:00`);
    date.setDate(date.getDate() + plusDays);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  };
  return {
    action: action as CallInput<'list-audit-events'>['action'],
    userId,
    from: day(from, 0),
    until: day(until, 1),
  };
}

function Filters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate({ from: '/settings/audit' });
  const people = useQuery(operationQuery('list-members', { limit: 200 }));
  const set = (name: keyof AuditSearch) => (event: { target: { value: string } }) => {
    const { [name]: _before, ...others } = search;
    void navigate({
      search: event.target.value ? { ...others, [name]: event.target.value } : others,
      replace: true,
    });
  };
  return (
    <fieldset className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-4">
      <legend className="sr-only">Filters</legend>
      <SelectField label="Action" value={search.action ?? ''} onChange={set('action')}>
        <option value="">All actions</option>
        {Object.entries(ACTIONS).map(([action, { name }]) => (
          <option key={action} value={action}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Person" value={search.userId ?? ''} onChange={set('userId')}>
        <option value="">Everyone</option>
        {people.data?.members.map(({ name, userId }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label="From" type="date" value={search.from ?? ''} onChange={set('from')} />
      <TextField label="To" type="date" value={search.until ?? ''} onChange={set('until')} />
    </fieldset>
  );
}

const COLUMNS: Column<Event>[] = [
  {
    name: 'Event',
    wide: true,
    cell: (event) => (
      <span className="wrap-anywhere">
        <span className="font-semibold">{actorOf(event)}</span>{' '}
        {ACTIONS[event.action as Action]?.says(event) ?? event.action}
      </span>
    ),
  },
  { name: 'IP address', cell: (event) => <span className="font-mono text-xs">{event.address ?? '–'}</span> },
  { name: 'Time', cell: (event) => <Time at={event.createdAt} /> },
];

function actorOf({ actor }: Event): string {
  if (actor.kind === 'operator') return 'The operator';
  if (actor.kind === 'service') return 'Countersign';
  if (actor.name === null) return 'Someone';
  if (actor.kind === 'key') return `${actor.name} (API key)`;
  return actor.kind === 'oauth' ? `${actor.name} (agent)` : actor.name;
}
