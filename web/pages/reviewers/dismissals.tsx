/** Reviewers → Dismissals: findings that reviews don't raise again, why, and how to undo that. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { EmptyState, ErrorState, LoadingRows, Page, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TextWithCode } from '../../components/text-with-code.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import type { DismissalsSearch } from '../../page-search.ts';
import { labelOf, REASONS } from '../../parts/pull-request/threads/dismissal-words.tsx';

type Dismissal = CallOutput<'list-dismissals'>['dismissals'][number];

export function DismissalsPage() {
  const search = useSearch({ from: '/signed-in/reviewers/dismissals' });
  const mayUndo = useSession().role !== 'viewer';
  const [undoing, setUndoing] = useState<Dismissal>();
  const list = useInfiniteQuery({
    queryKey: ['list-dismissals', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-dismissals', { ...search, cursor: pageParam, limit: 50 }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const dismissals = list.data?.pages.flatMap((page) => page.dismissals) ?? [];
  const filtered = Object.keys(search).length > 0;
  const undo: Column<Dismissal> = {
    name: 'Undo',
    hidden: true,
    cell: (dismissal) => (
      <Button aria-label={`Undo the dismissal of ${dismissal.title}`} onClick={() => setUndoing(dismissal)}>
        Undo
      </Button>
    ),
  };
  return (
    <Page
      title="Dismissals"
      actions={
        <Link to="/reviewers" className="rounded text-sm text-accent hover:underline">
          All reviewers
        </Link>
      }
      lead={
        <>
          Dismissed findings that reviews don’t raise again. Dismissals in <code>.countersign/decisions</code>{' '}
          of a repository apply too; remove those files in the repository.
        </>
      }
    >
      {(filtered || dismissals.length > 0) && <Filters search={search} />}
      {list.error && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!list.data && !list.error && <LoadingRows rows={8} />}
      {list.data && dismissals.length === 0 && (
        <EmptyState title={filtered ? 'No matching dismissals' : 'No dismissals'}>
          {filtered
            ? 'Try another repository or reviewer.'
            : 'Findings that anyone dismisses in a pull request appear here.'}
        </EmptyState>
      )}
      {dismissals.length > 0 && (
        <Table
          label="Dismissals"
          columns={mayUndo ? [...COLUMNS, undo] : COLUMNS}
          rows={dismissals}
          keyOf={({ id }) => id}
        />
      )}
      <ShowMore pages={list} />
      <UndoDialog dismissal={undoing} onClose={() => setUndoing(undefined)} />
    </Page>
  );
}

function Filters({ search }: { search: DismissalsSearch }) {
  const navigate = useNavigate({ from: '/reviewers/dismissals' });
  const repositories = useQuery({
    ...operationQuery('list-repositories', { limit: 200 }),
    staleTime: 60_000,
  });
  const reviewers = useQuery(operationQuery('list-reviewers', {}));
  const set = (name: keyof DismissalsSearch) => (event: { target: { value: string } }) => {
    const { [name]: _before, ...others } = search;
    void navigate({
      search: event.target.value ? { ...others, [name]: event.target.value } : others,
      replace: true,
    });
  };
  return (
    <fieldset className="mb-5 grid grid-cols-2 gap-3 sm:max-w-lg">
      <legend className="sr-only">Filters</legend>
      <SelectField label="Repository" value={search.repositoryId ?? ''} onChange={set('repositoryId')}>
        <option value="">All repositories</option>
        {repositories.data?.repositories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Reviewer" value={search.reviewerId ?? ''} onChange={set('reviewerId')}>
        <option value="">All reviewers</option>
        {reviewers.data?.reviewers.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
    </fieldset>
  );
}

const COLUMNS: Column<Dismissal>[] = [
  {
    name: 'Finding',
    wide: true,
    cell: ({ check, discussionId, note, pullRequest, reason, repository, reviewer, title }) => (
      <div className="min-w-0">
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: pullRequest.id }}
          search={{ discussion: discussionId }}
          className="font-medium wrap-anywhere hover:underline"
        >
          <TextWithCode text={title} />
        </Link>
        <p className="text-[0.8125rem] wrap-anywhere text-quiet">
          {repository.name}#{pullRequest.number} · {reviewer} ({check})
        </p>
        <p className="mt-1 wrap-anywhere">
          {REASONS[reason]}
          {note && `: ${note}`}
        </p>
      </div>
    ),
  },
  {
    name: 'Not raised again',
    cell: (dismissal) => (
      <div className="text-right wrap-anywhere sm:w-48 sm:text-left sm:whitespace-normal">
        {labelOf(dismissal.scope, dismissal)}
      </div>
    ),
  },
  {
    name: 'Dismissed',
    cell: ({ dismissedAt, dismissedBy }) => (
      <div className="text-right sm:max-w-48 sm:text-left sm:whitespace-normal">
        <p className="wrap-anywhere">{dismissedBy}</p>
        <Time at={dismissedAt} />
      </div>
    ),
  },
];

function UndoDialog({ dismissal, onClose }: { dismissal: Dismissal | undefined; onClose(): void }) {
  const client = useQueryClient();
  const toast = useToast();
  const undo = useMutation({
    mutationFn: (dismissalId: string) => call('undo-dismissal', { dismissalId }),
    onSuccess() {
      toast('Dismissal undone');
      onClose();
    },
    // After a failure too: someone else may have undone it.
    onSettled: () => client.invalidateQueries({ queryKey: ['list-dismissals'] }),
  });
  return (
    <ConfirmDialog
      open={dismissal !== undefined}
      title="Undo this dismissal?"
      description={`Later reviews can raise “${dismissal?.title ?? ''}” again. Its discussion is reopened if the pull request is open. Other findings that were dismissed with it stay resolved.`}
      action="Undo dismissal"
      busy={undo.isPending}
      problem={undo.error}
      onConfirm={() => dismissal && undo.mutate(dismissal.id)}
      onClose={() => {
        undo.reset();
        onClose();
      }}
    />
  );
}
