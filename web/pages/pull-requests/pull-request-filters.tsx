/** The filters of the list: whose, words, state, repository, author, assignee, requested reviewer, label and open discussions. All of them are in the address. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/field.tsx';
import { ScrollRow } from '../../components/scroll-row.tsx';
import { pullRequestCountsQuery } from '../../frame/count-queries.ts';
import { CountBadge } from '../../frame/nav-counts.tsx';
import type { PullRequestsSearch } from '../../page-search.ts';
import { SearchBox } from '../../parts/fields/search-box.tsx';
import { labelsQuery } from '../../parts/pull-requests/labels-query.ts';

type Change = (change: { [Name in keyof PullRequestsSearch]?: PullRequestsSearch[Name] | '' }) => void;

export function PullRequestFilters({ search, onLeave }: { search: PullRequestsSearch; onLeave(): void }) {
  const navigate = useNavigate({ from: '/pull-requests' });
  const change: Change = (wanted) =>
    void navigate({
      // Based on the current address, because two fields may change before the next render.
      search: (now) =>
        Object.fromEntries(
          Object.entries({ ...now, ...wanted }).filter(([, value]) => value !== '' && value !== undefined),
        ) as PullRequestsSearch,
      replace: true,
    });
  return (
    <search className="mb-4 grid gap-3">
      <SearchBox
        name="Search pull requests"
        placeholder="Search titles, branches and numbers"
        maxLength={300}
        search={search.search ?? ''}
        onSearch={(text) => change({ search: text })}
        onLeave={onLeave}
      />
      <ScopeTabs search={search} />
      <fieldset className="grid grid-cols-2 items-center gap-2 sm:grid-cols-3">
        <legend className="sr-only">Filters</legend>
        <Select
          aria-label="State"
          value={search.state ?? ''}
          onChange={({ target }) => change({ state: target.value as PullRequestsSearch['state'] | '' })}
        >
          <option value="">Open and draft</option>
          <option value="open">Open</option>
          <option value="draft">Draft</option>
          <option value="merged">Merged</option>
          <option value="closed">Closed</option>
          <option value="all">Any state</option>
        </Select>
        <RepositoryField search={search} change={change} />
        <PersonField name="author" field="authorId" search={search} change={change} />
        <PersonField name="assignee" field="assigneeId" search={search} change={change} />
        <PersonField name="reviewer" field="reviewerId" search={search} change={change} />
        <LabelField search={search} change={change} />
        <label className="flex h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={search.openDiscussions ?? false}
            onChange={({ target }) => change({ openDiscussions: target.checked || undefined })}
            className="size-4 accent-accent"
          />
          Has open discussions
        </label>
      </fieldset>
    </search>
  );
}

const SCOPES = [
  { name: 'All', scope: undefined },
  { name: 'Waiting for me', scope: 'waiting' },
  { name: 'Mine', scope: 'mine' },
] as const;

function ScopeTabs({ search }: { search: PullRequestsSearch }) {
  const { scope: current, ...others } = search;
  const waiting = useQuery(pullRequestCountsQuery).data?.waiting ?? 0;
  return (
    <ScrollRow label="Whose" className="-mx-1 gap-1 px-1 py-0.5">
      {SCOPES.map(({ name, scope }) => (
        <Link
          key={name}
          to="/pull-requests"
          replace
          search={{ ...others, ...(scope && { scope }) }}
          activeOptions={{ exact: true }}
          aria-current={current === scope ? 'page' : undefined}
          className="inline-flex h-8 items-center gap-2 rounded-full px-3 text-sm whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {name}
          {scope === 'waiting' && <CountBadge count={waiting} label="waiting for you" />}
        </Link>
      ))}
    </ScrollRow>
  );
}

function RepositoryField({ search, change }: { search: PullRequestsSearch; change: Change }) {
  const { data } = useQuery({ ...operationQuery('list-repositories', { limit: 200 }), staleTime: 60_000 });
  const repositories = data?.repositories ?? [];
  const unknown = search.repositoryId && !repositories.some(({ id }) => id === search.repositoryId);
  return (
    <Select
      aria-label="Repository"
      value={search.repositoryId ?? ''}
      onChange={({ target }) => change({ repositoryId: target.value })}
    >
      <option value="">Any repository</option>
      {unknown && <option value={search.repositoryId}>{data ? 'Unknown repository' : 'Loading'}</option>}
      {repositories.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

const PERSON_LABELS = { author: 'Author', assignee: 'Assignee', reviewer: 'Requested reviewer' };

function PersonField(props: {
  name: 'author' | 'assignee' | 'reviewer';
  field: 'authorId' | 'assigneeId' | 'reviewerId';
  search: PullRequestsSearch;
  change: Change;
}) {
  const { change, field, name, search } = props;
  const chosen = search[field];
  const { data } = useQuery({ ...operationQuery('list-members', { limit: 200 }), staleTime: 60_000 });
  const members = data?.members ?? [];
  const unknown = chosen && !members.some(({ userId }) => userId === chosen);
  return (
    <Select
      aria-label={PERSON_LABELS[name]}
      value={chosen ?? ''}
      onChange={({ target }) => change({ [field]: target.value })}
    >
      <option value="">Any {name}</option>
      {unknown && <option value={chosen}>{data ? `Unknown ${name}` : 'Loading'}</option>}
      {members.map(({ name, userId }) => (
        <option key={userId} value={userId}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Offers the labels of the repository that is chosen, else of all. */
function LabelField({
  search: { label, repositoryId },
  change,
}: {
  search: PullRequestsSearch;
  change: Change;
}) {
  const { data } = useQuery(labelsQuery(repositoryId));
  const labels = data?.labels ?? [];
  return (
    <Select aria-label="Label" value={label ?? ''} onChange={({ target }) => change({ label: target.value })}>
      <option value="">Any label</option>
      {[...(label && !labels.includes(label) ? [label] : []), ...labels].map((each) => (
        <option key={each}>{each}</option>
      ))}
    </Select>
  );
}

export function ClearFilters() {
  const navigate = useNavigate({ from: '/pull-requests' });
  return <Button onClick={() => void navigate({ search: {}, replace: true })}>Clear filters</Button>;
}
