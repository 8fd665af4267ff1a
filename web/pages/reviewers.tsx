/** Reviewers: built-in and custom ones, where they apply, and whether they are on. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { isAdmin } from '../frame/navigation.ts';
import { describeScopes } from './reviewers/describe-scopes.ts';
import { ReviewFigures } from './reviewers/review-figures.tsx';
import { ReviewerStatus } from './reviewers/reviewer-status.tsx';

type Reviewer = CallOutput<'list-reviewers'>['reviewers'][number];

/** The service lists them first. */
const BUILT_IN = 10;

export function ReviewersPage() {
  const mayCreate = isAdmin(useSession());
  const { data, error, refetch } = useQuery(operationQuery('list-reviewers', {}));
  const custom = data?.reviewers.slice(BUILT_IN) ?? [];
  const create = mayCreate && (
    <ButtonLink look="primary" to="/reviewers/new">
      Create reviewer
    </ButtonLink>
  );
  return (
    <Page
      title="Reviewers"
      lead="Automatic reviewers for your pull requests."
      actions={
        <>
          <ButtonLink to="/reviewers/dismissals">Dismissals</ButtonLink>
          {custom.length > 0 && create}
        </>
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={8} />}
      {data && (
        <>
          <Section
            title="Custom"
            lead="Written by your organization. Rules run in every review; instructions are for agents and models."
          >
            {custom.length === 0 ? (
              <EmptyState title="No custom reviewers yet" action={create || undefined}>
                Write down what your team always looks for, as instructions or as rules.
              </EmptyState>
            ) : (
              <Table label="Custom reviewers" columns={COLUMNS} rows={custom} keyOf={({ id }) => id} />
            )}
          </Section>
          <Section title="Built-in">
            <Table
              label="Built-in reviewers"
              columns={COLUMNS}
              rows={data.reviewers.slice(0, BUILT_IN)}
              keyOf={({ id }) => id}
            />
          </Section>
          <Section title="Figures" lead="What reviews found in the repositories that you can see.">
            <ReviewFigures />
          </Section>
        </>
      )}
    </Page>
  );
}

const COLUMNS: Column<Reviewer>[] = [
  {
    name: 'Reviewer',
    wide: true,
    cell: ({ description, id, title }) => (
      <div className="min-w-0">
        <Link
          to="/reviewers/$reviewerId"
          params={{ reviewerId: id }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {title}
        </Link>
        <p className="text-[0.8125rem] wrap-anywhere text-quiet sm:text-pretty">{description}</p>
      </div>
    ),
  },
  {
    name: 'Applies to',
    cell: ({ scopes }) => <span className="text-quiet">{describeScopes(scopes)}</span>,
  },
  {
    name: 'Status',
    corner: true,
    cell: (reviewer) => <ReviewerStatus reviewer={reviewer} />,
  },
];
