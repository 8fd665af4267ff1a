/** Background jobs whose last run failed: why, and a way to run them again. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, ErrorState, LoadingRows, Section } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';

type Job = CallOutput<'list-failed-jobs'>['jobs'][number];

const failedQuery = operationQuery('list-failed-jobs', {});

export function FailedJobs({ refreshMs }: { refreshMs: number }) {
  const client = useQueryClient();
  const toast = useToast();
  const [busy, setBusy] = useState('');
  const { data, error, refetch } = useQuery({ ...failedQuery, refetchInterval: refreshMs });
  const runAgain = async (name: string, jobs: { kind: string; id?: string }) => {
    setBusy(name);
    try {
      const { count } = await call('run-jobs-again', jobs);
      toast(
        count === 0
          ? 'Already running again'
          : count === 1
            ? 'The job runs again'
            : `${count} jobs run again`,
      );
      await client.invalidateQueries({ queryKey: failedQuery.queryKey });
    } catch (problem) {
      toast((problem as Error).message, 'danger');
    } finally {
      setBusy('');
    }
  };
  const columns: Column<Job>[] = [
    { name: 'Job', wide: true, cell: (job) => <Described job={job} /> },
    { name: 'Last run', cell: ({ lastRunAt }) => lastRunAt && <Time at={lastRunAt} /> },
    {
      name: 'Next run',
      cell: ({ nextRunAt }) =>
        nextRunAt ? <Time at={nextRunAt} /> : <span className="text-quiet">none</span>,
    },
    {
      name: 'Actions',
      hidden: true,
      cell: ({ id, kind, repository }) => (
        <Button
          size="small"
          busy={busy === id}
          aria-label={`Run again: ${kind}${repository ? ` of ${repository}` : ''}`}
          onClick={() => void runAgain(id, { kind, id })}
        >
          Run again
        </Button>
      ),
    },
  ];
  const kinds = Map.groupBy(data?.jobs ?? [], ({ kind }) => kind);
  const several = [...kinds].filter(([, jobs]) => jobs.length > 1).map(([kind]) => kind);
  return (
    <Section
      title="Failed jobs"
      lead="Jobs of your organization and of the installation, such as backups. They are retried with backoff."
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={1} />}
      {data?.jobs.length === 0 && <EmptyState title="No failed jobs" />}
      {data && data.jobs.length > 0 && (
        <>
          {several.length > 0 && (
            <div className="flex flex-wrap gap-2">
              {several.map((kind) => (
                <Button
                  key={kind}
                  size="small"
                  busy={busy === kind}
                  onClick={() => void runAgain(kind, { kind })}
                >
                  Run all {kind} again
                </Button>
              ))}
            </div>
          )}
          <Table label="Failed jobs" columns={columns} rows={data.jobs} keyOf={({ id }) => id} />
          {data.more && (
            <p className="text-center text-sm text-quiet">Showing the last {data.jobs.length}.</p>
          )}
        </>
      )}
    </Section>
  );
}

function Described({ job: { attempts, error, kind, repository, state } }: { job: Job }) {
  return (
    <div className="min-w-0">
      <p className="wrap-anywhere">
        <span className="font-mono text-[0.8125rem] font-medium">{kind}</span>
        {repository && <span className="text-quiet"> · {repository}</span>}
      </p>
      <p className="text-[0.8125rem] wrap-anywhere text-danger">{error || 'No reason was recorded.'}</p>
      <p className="text-xs text-quiet">
        {state === 'failed' ? 'Given up after' : 'Failed'} {formatNumber(attempts)}{' '}
        {attempts === 1 ? 'time' : 'times'}
      </p>
    </div>
  );
}
