/** Architecture: what each repository is and does, found by keywords or listed by domain. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Domain } from '../../src/features/architecture/contract.ts';
import { operationQuery, useOperationPages } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, LoadingRows, Page, ShowMore } from '../components/page.tsx';
import { useListKeys } from '../frame/use-list-keys.ts';
import type { ArchitectureSearch } from '../page-search.ts';
import { DOMAINS } from '../parts/architecture/domains.ts';
import { SearchBox } from '../parts/fields/search-box.tsx';
import { DomainFilter } from './architecture/domain-filter.tsx';
import { keywordsOf } from './architecture/keywords.ts';
import { SummaryList } from './architecture/summary-list.tsx';

export function ArchitecturePage() {
  const { domain: given, search = '' } = useSearch({ from: '/signed-in/architecture' });
  const domain = DOMAINS.find(([each]) => each === given?.toUpperCase())?.[0];
  const navigate = useNavigate({ from: '/architecture' });
  const show = (changed: ArchitectureSearch) => {
    const wanted = { domain, search, ...changed };
    void navigate({
      search: {
        ...(wanted.search && { search: wanted.search }),
        ...(wanted.domain && { domain: wanted.domain }),
      },
      replace: true,
    });
  };
  const results = useRef<HTMLDivElement>(null);
  return (
    <Page
      title="Architecture"
      lead="What each repository is and does, summarized from its code. Every sentence links to the code that shows it."
    >
      <search className="mb-3 block">
        <SearchBox
          name="Search summaries"
          placeholder="Search by keywords: invoices pdf &quot;payment gateway&quot;"
          maxLength={300}
          search={search}
          onSearch={(text) => show({ search: text })}
          onLeave={() => results.current?.querySelector<HTMLElement>('[data-list-entry]')?.focus()}
        />
      </search>
      <DomainFilter domain={domain} onChange={(wanted) => show({ domain: wanted })} />
      <div ref={results}>
        {given && !domain ? (
          <EmptyState title={`There’s no domain “${given}”`}>
            Domains: {DOMAINS.map(([, name]) => name).join(', ')}.
          </EmptyState>
        ) : keywordsOf(search).length > 0 ? (
          <Found search={search} domain={domain} />
        ) : (
          <Listed domain={domain} />
        )}
      </div>
    </Page>
  );
}

function Found({ domain, search }: { domain: Domain | undefined; search: string }) {
  const list = useListKeys<HTMLUListElement>('summary');
  const keywords = keywordsOf(search);
  const found = useQuery({
    ...operationQuery('search-architecture', { keywords, ...(domain && { domains: [domain] }) }),
    placeholderData: keepPreviousData,
  });
  if (found.error && !found.data)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingRows />;
  const { summaries } = found.data;
  if (summaries.length === 0)
    return (
      <EmptyState title="No matches">
        Try other words{domain ? ', or all domains' : ''}. Repositories you can’t access aren’t searched.
      </EmptyState>
    );
  return (
    <>
      <p role="status" className="mb-2 text-[0.8125rem] text-quiet">
        {summaries.length === 1 ? '1 summary' : `${summaries.length} summaries`}, best match first
      </p>
      <SummaryList ref={list} summaries={summaries} busy={found.isPlaceholderData} />
    </>
  );
}

function Listed({ domain }: { domain: Domain | undefined }) {
  const list = useListKeys<HTMLUListElement>('summary');
  const pages = useOperationPages('list-summaries', domain ? { domain } : {});
  if (pages.error && !pages.data)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <LoadingRows />;
  const summaries = pages.data.pages.flatMap((page) => page.summaries);
  if (summaries.length === 0)
    return (
      <EmptyState
        title={domain ? 'No summaries in this domain' : 'No summaries yet'}
        action={!domain && <ButtonLink to="/repositories">Repositories</ButtonLink>}
      >
        {domain
          ? 'No repository that you can see has code in it.'
          : 'Repositories are summarized after their first clone, and again after every push to the default branch.'}
      </EmptyState>
    );
  return (
    <>
      <SummaryList ref={list} summaries={summaries} busy={false} />
      <ShowMore pages={pages} />
    </>
  );
}
