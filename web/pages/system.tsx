/** Settings → System: versions, sizes, nodes, the queue, failed jobs, and what to do about problems. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { Badge } from '../components/badge.tsx';
import { formatNumber } from '../components/format-number.ts';
import { Card, EmptyState, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatBytes } from '../parts/fields/format-amounts.ts';
import { FailedJobs } from './system/failed-jobs.tsx';
import { SystemChecks } from './system/system-checks.tsx';

type System = CallOutput<'get-system'>;

const REFRESH_MS = 10_000;

export function SystemPage() {
  const { data, error, refetch } = useQuery({
    ...operationQuery('get-system', {}),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title="System"
      lead="The state of this installation. Sizes and job counts cover all organizations; failed jobs and connection checks only yours."
    >
      <SystemChecks />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={3} />}
      {data && <State system={data} />}
      <FailedJobs refreshMs={REFRESH_MS} />
    </Page>
  );
}

function State({ system: { backup, nodes, queues, sizes, versions } }: { system: System }) {
  return (
    <>
      <Section title="Installation">
        <Card>
          <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
            <Entry name="Versions">
              Countersign {versions.countersign}, Node.js {versions.node}, PostgreSQL {versions.postgres}, git{' '}
              {versions.git ?? 'not installed'}, ripgrep {versions.ripgrep ?? 'not found'}
            </Entry>
            <Entry name="Database">{formatBytes(sizes.databaseBytes)}</Entry>
            <Entry name="Mirrors">
              {sizes.mirrorsCounted ? '' : 'more than '}
              {formatBytes(sizes.mirrorBytes)} on this node
            </Entry>
            <Entry name="Free disk space">{formatBytes(sizes.diskFreeBytes)} on this node</Entry>
            <Entry name="Last backup">
              {backup?.problem ? (
                <span className="text-danger wrap-anywhere">Failed: {backup.problem}</span>
              ) : backup?.finishedAt ? (
                <span className="wrap-anywhere">
                  {backup.file}, {formatBytes(backup.bytes ?? 0)}, <Time at={backup.finishedAt} />
                </span>
              ) : (
                'None scheduled'
              )}
            </Entry>
          </dl>
        </Card>
      </Section>
      <Section title="Nodes" lead="Processes connected to the database.">
        <Table
          label="Nodes"
          columns={NODE_COLUMNS}
          rows={nodes}
          keyOf={({ host, since }) => `${host} ${since}`}
        />
      </Section>
      <Section title="Queue" lead="Background jobs that are waiting, running or failing.">
        {queues.length === 0 ? (
          <EmptyState title="The queue is empty" />
        ) : (
          <Table label="Queue" columns={QUEUE_COLUMNS} rows={queues} keyOf={({ kind }) => kind} />
        )}
      </Section>
    </>
  );
}

function Entry({ children, name }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="-mt-2 min-w-0 sm:mt-0">{children}</dd>
    </>
  );
}

const NODE_COLUMNS: Column<System['nodes'][number]>[] = [
  {
    name: 'Host',
    wide: true,
    cell: ({ host }) => <span className="font-mono text-[0.8125rem] wrap-anywhere">{host}</span>,
  },
  { name: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Connected', cell: ({ since }) => <Time at={since} /> },
];

const QUEUE_COLUMNS: Column<System['queues'][number]>[] = [
  {
    name: 'Kind',
    wide: true,
    cell: ({ kind }) => <span className="font-mono text-[0.8125rem] wrap-anywhere">{kind}</span>,
  },
  { name: 'Waiting', cell: ({ waiting }) => formatNumber(waiting) },
  { name: 'Running', cell: ({ running }) => formatNumber(running) },
  { name: 'Lag', cell: ({ lagSeconds }) => formatLag(lagSeconds) },
  {
    name: 'Failing',
    cell: ({ failing }) => (failing === 0 ? '0' : <Badge kind="danger">{formatNumber(failing)}</Badge>),
  },
];

function formatLag(seconds: number): string {
  if (seconds < 1) return 'none';
  return seconds < 120 ? `${Math.round(seconds)} s` : `${formatNumber(Math.round(seconds / 60))} min`;
}
