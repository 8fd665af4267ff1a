/** The repositories that you and your teams watch, on the account page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card, ErrorState, LoadingRows, Section } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useToast } from '../../components/toast.tsx';

type Watch = CallOutput<'list-watches'>['watches'][number];

export function MyWatches() {
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, refetch } = useQuery(operationQuery('list-watches', {}));
  const stop = useMutation({
    mutationFn: ({ repository }: Watch) => call('unwatch-repository', { repositoryId: repository.id }),
    onSuccess: (_saved, { repository }) => toast(`You no longer watch ${repository.name}`),
    onError: (problem) => toast(problem.message, 'danger'),
    onSettled: () =>
      Promise.all(
        ['list-watches', 'get-repository-watch'].map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
  return (
    <Section
      title="Watching"
      lead="Each pull request of a watched repository or path shows up once in your inbox. Watch more on a repository’s page."
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={2} />}
      {data?.watches.length === 0 && (
        <Card className="max-w-md">
          <p className="text-sm text-quiet">You don’t watch any repository.</p>
        </Card>
      )}
      {data && data.watches.length > 0 && (
        <Table
          label="Watching"
          columns={columns((watch) => stop.mutate(watch), stop.isPending)}
          rows={data.watches}
          keyOf={({ repository, team }) => `${repository.id} ${team?.id}`}
        />
      )}
    </Section>
  );
}

function columns(stop: (watch: Watch) => void, isBusy: boolean): Column<Watch>[] {
  return [
    {
      name: 'Repository',
      wide: true,
      cell: ({ repository }) => (
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: repository.id }}
          className="font-medium wrap-anywhere hover:underline"
        >
          {repository.name}
        </Link>
      ),
    },
    {
      name: 'Pull requests',
      cell: ({ paths }) =>
        paths.length === 0 ? (
          'All'
        ) : (
          <span className="font-mono text-xs wrap-anywhere">{paths.join(', ')}</span>
        ),
    },
    { name: 'By', cell: ({ team }) => (team === null ? 'You' : `Team ${team.name}`) },
    {
      name: 'Stop',
      hidden: true,
      cell: (watch) =>
        watch.team === null && (
          <Button
            size="small"
            disabled={isBusy}
            aria-label={`Stop watching ${watch.repository.name}`}
            onClick={() => stop(watch)}
          >
            Stop
          </Button>
        ),
    },
  ];
}
