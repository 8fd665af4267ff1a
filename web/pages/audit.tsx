/** Settings → Audit log: who did what, with filters that are part of the address. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CallInput, type CallOutput, call } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { EmptyState, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import type { AuditSearch } from '../page-search.ts';

type Event = CallOutput<'list-audit-events'>['events'][number];

/** What each action is called, and what is said of it after the name of who did it. */
const ACTIONS: Record<string, { name: string; says(event: Event): string }> = {
  'organization.created': {
    name: 'Organization made',
    says: ({ subject }) => `made the organization ${subject.name}`,
  },
  'session.started': { name: 'Sign-in', says: () => 'signed in' },
  'session.refused': {
    name: 'Refused sign-in',
    says: ({ subject }) => `tried to sign in as ${subject.name}, and was refused`,
  },
  'session.ended': { name: 'Sign-out', says: () => 'signed out' },
  'session.revoked': { name: 'Device signed out', says: () => 'signed out a device' },
  'password.changed': { name: 'Password changed', says: () => 'changed their password' },
  'password.reset': {
    name: 'Password reset',
    says: ({ subject }) => `reset the password of ${subject.name}`,
  },
  'api_key.created': { name: 'Key generated', says: ({ subject }) => `generated the key ${subject.name}` },
  'api_key.revoked': { name: 'Key revoked', says: ({ subject }) => `revoked the key ${subject.name}` },
  'agent.signed_in': { name: 'Agent signed in', says: ({ subject }) => `let the agent ${subject.name} in` },
  'agent.revoked': {
    name: 'Agent signed out',
    says: ({ subject }) => `took back the access of the agent ${subject.name}`,
  },
  'invitation.created': { name: 'Invitation made', says: ({ subject }) => `invited ${subject.name}` },
  'invitation.revoked': {
    name: 'Invitation taken back',
    says: ({ subject }) => `took back the invitation of ${subject.name}`,
  },
  'invitation.accepted': { name: 'Invitation accepted', says: () => 'accepted an invitation' },
  'member.added': {
    name: 'Person added',
    says: ({ actor, subject, detail }) =>
      `${actor.id === subject.id ? 'joined' : `added ${subject.name}`} as ${String(detail.role)}`,
  },
  'member.role_changed': {
    name: 'Role changed',
    says: ({ subject, detail }) =>
      `changed ${subject.name} from ${String(detail.from)} to ${String(detail.to)}`,
  },
  'member.deactivated': { name: 'Person deactivated', says: ({ subject }) => `deactivated ${subject.name}` },
  'member.reactivated': { name: 'Person reactivated', says: ({ subject }) => `reactivated ${subject.name}` },
  'switch.moved': {
    name: 'Switch moved',
    says: ({ subject, detail }) => `turned ${subject.name} ${detail.enabled ? 'on' : 'off'}`,
  },
  'plan.deleted': { name: 'Plan deleted', says: ({ subject }) => `deleted the plan ${subject.name}` },
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
    name: 'Webhook secret renewed',
    says: ({ subject }) => `gave the webhook ${subject.name} a new secret`,
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
    says: ({ subject }) => `refreshed the repository ${subject.name} by hand`,
  },
  'repository.push_url_shown': {
    name: 'Push URL looked at',
    says: ({ subject }) => `looked at the push URL of the repository ${subject.name}`,
  },
};

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
    <Page title="Audit log" lead="Sign-ins, keys, people and roles: who did what, when and from where.">
      <Filters search={search} />
      {log.error && !log.data && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {!log.data && !log.error && <LoadingRows rows={8} />}
      {log.data && events.length === 0 && (
        <EmptyState title={filtered ? 'Nothing matches these filters' : 'Nothing has happened yet'}>
          {filtered ? 'Widen the time, or choose another person or action.' : undefined}
        </EmptyState>
      )}
      {events.length > 0 && (
        <Table label="Audit log" columns={COLUMNS} rows={events} keyOf={(event) => event.id} />
      )}
      {log.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Page>
  );
}

/** Days are the reader's own days; the last one counts whole. */
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
      <SelectField label="What" value={search.action ?? ''} onChange={set('action')}>
        <option value="">Everything</option>
        {Object.entries(ACTIONS).map(([action, { name }]) => (
          <option key={action} value={action}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Who" value={search.userId ?? ''} onChange={set('userId')}>
        <option value="">Everyone</option>
        {people.data?.members.map(({ name, userId }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label="From" type="date" value={search.from ?? ''} onChange={set('from')} />
      <TextField label="Until" type="date" value={search.until ?? ''} onChange={set('until')} />
    </fieldset>
  );
}

const COLUMNS: Column<Event>[] = [
  {
    name: 'What happened',
    wide: true,
    cell: (event) => (
      <span className="wrap-anywhere">
        <span className="font-semibold">{actorOf(event)}</span>{' '}
        {ACTIONS[event.action]?.says(event) ?? event.action}
      </span>
    ),
  },
  { name: 'From', cell: (event) => <span className="font-mono text-xs">{event.address ?? '–'}</span> },
  { name: 'When', cell: (event) => <Time at={event.createdAt} /> },
];

function actorOf({ actor }: Event): string {
  if (actor.kind === 'operator') return 'The operator';
  if (actor.name === null) return 'Someone';
  if (actor.kind === 'key') return `${actor.name} (by key)`;
  return actor.kind === 'oauth' ? `${actor.name} (by agent)` : actor.name;
}
