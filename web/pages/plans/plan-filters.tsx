/** The filters of the list of plans: words, status, repository, author and agent. All of them are in the address. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/field.tsx';
import { PLAN_STATUSES } from '../../components/plan-status.tsx';
import { ScrollRow } from '../../components/scroll-row.tsx';
import type { PlansSearch } from '../../page-search.ts';
import { SearchBox } from '../../parts/fields/search-box.tsx';
import { useTypedFilter } from '../../parts/fields/use-typed-filter.ts';
import { agentName, USUAL_AGENTS } from '../../parts/plans/agent-names.ts';

const TABS: { name: string; search: Pick<PlansSearch, 'status' | 'review'> }[] = [
  { name: 'All', search: {} },
  { name: 'Needs my review', search: { review: 'needs_my_review' } },
  { name: 'Changes requested', search: { review: 'changes_requested' } },
  ...(['pending', 'approved', 'implemented', 'closed'] as const).map((status) => ({
    name: PLAN_STATUSES[status].name,
    search: { status },
  })),
];

const INPUT = 'w-full rounded-md border border-strong-line bg-page text-sm placeholder:text-quiet';

type Change = (change: Partial<Record<keyof PlansSearch, string>>) => void;

export function PlanFilters({
  search,
  plans,
  onLeave,
}: {
  search: PlansSearch;
  /** Plans on the page: their repositories and agents are offered as filters. */
  plans: CallOutput<'list-plans'>['plans'];
  /** Called when the down arrow moves out of the search box. */
  onLeave(): void;
}) {
  const navigate = useNavigate({ from: '/plans' });
  const change: Change = (wanted) =>
    void navigate({
      // Based on the current address, because two fields may change before the next render.
      search: (now) =>
        Object.fromEntries(
          Object.entries({ ...now, ...wanted }).filter(([, value]) => value !== ''),
        ) as PlansSearch,
      replace: true,
    });
  const repositories = [...new Set(plans.flatMap(({ repos }) => repos.map(({ repoName }) => repoName)))];
  const agents = new Set([...USUAL_AGENTS, ...plans.map(({ agentVendor }) => agentVendor)]);
  if (search.agentVendor) agents.add(search.agentVendor);
  const repository = useTypedFilter(search.repository ?? '', (text) => change({ repository: text }));
  return (
    <search className="mb-4 grid gap-3">
      <SearchBox
        name="Search plans"
        placeholder="Search titles and content"
        maxLength={200}
        search={search.search ?? ''}
        onSearch={(text) => change({ search: text })}
        onLeave={onLeave}
      />
      <StatusTabs search={search} />
      <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        <legend className="sr-only">Filters</legend>
        <div className="max-sm:col-span-2">
          <input
            aria-label="Repository"
            placeholder="Any repository"
            title="Full name or last part"
            list="repositories"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            value={repository.text}
            onChange={(event) => repository.type(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && repository.now()}
            className={`${INPUT} h-9 px-3`}
          />
          <datalist id="repositories">
            {repositories.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <AuthorField search={search} change={change} />
        <Select
          aria-label="Agent"
          value={search.agentVendor ?? ''}
          onChange={(event) => change({ agentVendor: event.target.value })}
        >
          <option value="">Any agent</option>
          {[...agents].map((vendor) => (
            <option key={vendor} value={vendor}>
              {agentName(vendor)}
            </option>
          ))}
        </Select>
      </fieldset>
    </search>
  );
}

function StatusTabs({ search }: { search: PlansSearch }) {
  const { review, status, ...others } = search;
  return (
    <ScrollRow label="Status" className="-mx-1 gap-1 px-1 py-0.5">
      {TABS.map(({ name, search: wanted }) => (
        <Link
          key={name}
          to="/plans"
          replace
          search={{ ...others, ...wanted }}
          activeOptions={{ exact: true }}
          aria-current={status === wanted.status && review === wanted.review ? 'page' : undefined}
          className="inline-flex h-8 items-center rounded-full px-3 text-sm whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {name}
        </Link>
      ))}
    </ScrollRow>
  );
}

function AuthorField({ search, change }: { search: PlansSearch; change: Change }) {
  const people = useQuery({ ...operationQuery('list-members', { limit: 200 }), staleTime: 60_000 });
  const members = people.data?.members ?? [];
  const unknown = search.authorId && !members.some(({ userId }) => userId === search.authorId);
  return (
    <Select
      aria-label="Author"
      value={search.authorId ?? ''}
      onChange={(event) => change({ authorId: event.target.value })}
    >
      <option value="">Any author</option>
      {unknown && <option value={search.authorId}>{people.data ? 'Unknown author' : 'Loading'}</option>}
      {members.map(({ name, userId }) => (
        <option key={userId} value={userId}>
          {name}
        </option>
      ))}
    </Select>
  );
}

export function ClearFilters() {
  const navigate = useNavigate({ from: '/plans' });
  return <Button onClick={() => void navigate({ search: {}, replace: true })}>Clear filters</Button>;
}
