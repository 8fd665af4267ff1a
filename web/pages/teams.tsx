/** Settings → Teams: named groups of members. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../api/queries.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EmptyState, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import type { TeamSummary } from '../parts/reviewers/reviewer-choices.tsx';
import { DeleteTeam } from './teams/delete-team.tsx';
import { HostTeamState } from './teams/host-team-state.tsx';
import { EditTeam, TeamForm } from './teams/team-form.tsx';

type Open = { kind: 'create' } | { kind: 'edit' | 'delete'; team: TeamSummary };

export function TeamsPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(operationQuery('list-teams', {}));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    void client.invalidateQueries({ queryKey: ['list-teams'] });
    void client.invalidateQueries({ queryKey: ['get-team'] });
  };
  const create = (
    <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
      Create team
    </Button>
  );
  const columns: Column<TeamSummary>[] = [
    {
      name: 'Team',
      wide: true,
      cell: (team) => (
        <button
          type="button"
          className="font-medium wrap-anywhere hover:underline"
          onClick={() => setOpen({ kind: 'edit', team })}
        >
          {team.name}
        </button>
      ),
    },
    { name: 'Members', cell: ({ members }) => <span className="tabular-nums">{members}</span> },
    {
      name: 'Members from',
      cell: ({ codeHost, group }) =>
        codeHost ? (
          <span className="grid justify-items-start gap-1">
            <Badge>{`${codeHost.name}: ${codeHost.team}`}</Badge>
            <HostTeamState codeHost={codeHost} />
          </span>
        ) : group === null ? (
          <span className="text-quiet">Chosen here</span>
        ) : (
          <Badge>{`Single sign-on: ${group}`}</Badge>
        ),
    },
    {
      name: 'Actions',
      cell: (team) => (
        <span className="flex gap-2">
          <Button onClick={() => setOpen({ kind: 'edit', team })}>
            Edit<span className="sr-only"> {team.name}</span>
          </Button>
          <Button look="danger" onClick={() => setOpen({ kind: 'delete', team })}>
            Delete<span className="sr-only"> {team.name}</span>
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Page
      title="Teams"
      lead="Ask a team for a review, and one of its members answers. Teams can own paths in CODEOWNERS."
      actions={data?.teams.length === 0 ? undefined : create}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data?.teams.length === 0 && (
        <EmptyState title="No teams yet" action={create}>
          For example, the people who know the API, or everyone who is on call.
        </EmptyState>
      )}
      {data && data.teams.length > 0 && (
        <Table label="Teams" columns={columns} rows={data.teams} keyOf={({ id }) => id} />
      )}
      <Dialog open={open?.kind === 'create'} title="Create team" onClose={close}>
        <TeamForm onDone={done} />
      </Dialog>
      {open?.kind === 'edit' && (
        <Dialog open title="Edit team" onClose={close}>
          <EditTeam teamId={open.team.id} onDone={done} />
        </Dialog>
      )}
      {open?.kind === 'delete' && <DeleteTeam team={open.team} onClose={close} onDone={done} />}
    </Page>
  );
}
