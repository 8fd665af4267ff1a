/** The repositories that were added from a host: how far their import is, and who sees them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type CallOutput, call } from '../../api/client.ts';
import { useOperationPages } from '../../api/queries.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Select } from '../../components/field.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useToast } from '../../components/toast.tsx';
import type { CodeHost } from './host-state.tsx';

type Repository = CallOutput<'list-connected-repositories'>['repositories'][number];

export function ConnectedRepositories({ host, onAdd }: { host: CodeHost; onAdd(): void }) {
  const pages = useOperationPages('list-connected-repositories', { codeHostId: host.id });
  const repositories = pages.data?.pages.flatMap((page) => page.repositories) ?? [];
  return (
    <div className="grid gap-4">
      <Selections host={host} />
      {pages.error && !pages.data && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingRows />}
      {pages.data && repositories.length === 0 && (
        <EmptyState title="No repositories yet" action={<Button onClick={onAdd}>Choose repositories</Button>}>
          Choose the repositories whose pull requests you want to review here.
        </EmptyState>
      )}
      {repositories.length > 0 && (
        <Table
          label="Repositories"
          columns={columns(host.id)}
          rows={repositories}
          keyOf={({ repositoryId }) => repositoryId}
        />
      )}
      <ShowMore pages={pages} />
    </div>
  );
}

function Selections({ host }: { host: CodeHost }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (selectionId: string) => call('remove-host-selection', { codeHostId: host.id, selectionId }),
    onSettled: () => client.invalidateQueries({ queryKey: ['list-code-hosts'] }),
  });
  if (host.selections.length === 0) return null;
  return (
    <ul aria-label="Patterns" className="flex flex-wrap gap-2">
      {host.selections.map(({ addedCount, id, includeNew, pattern, problem, state }) => (
        <li key={id} className="flex items-center gap-1 rounded-md border border-line bg-raised pl-3 text-sm">
          <span className="py-1.5 wrap-anywhere">
            <code>{pattern}</code>{' '}
            <span className="text-quiet">
              {state === 'adding' ? 'adding…' : `${formatNumber(addedCount)} added`}
              {includeNew && ', new ones included'}
              {problem && `. ${problem}`}
            </span>
          </span>
          <IconButton name={`Remove the pattern ${pattern}`} onClick={() => remove.mutate(id)}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const IMPORTS = { open: 'Importing open pull requests', all: 'Importing closed ones', done: 'Imported' };

function columns(codeHostId: string): Column<Repository>[] {
  return [
    {
      name: 'Repository',
      wide: true,
      cell: ({ fullName, problem, repositoryId }) => (
        <div className="min-w-0">
          <Link
            to="/repositories/$repositoryId"
            params={{ repositoryId }}
            className="font-medium wrap-anywhere text-accent hover:underline"
          >
            {fullName}
          </Link>
          {problem && <p className="text-xs wrap-anywhere text-danger">{problem}</p>}
        </div>
      ),
    },
    {
      name: 'Pull requests',
      cell: ({ importState, importedCount }) => (
        <span className="text-sm">
          {IMPORTS[importState]}
          {importedCount > 0 && ` (${formatNumber(importedCount)})`}
        </span>
      ),
    },
    {
      name: 'Visible to',
      cell: (repository) => <Visibility codeHostId={codeHostId} repository={repository} />,
    },
  ];
}

function Visibility({ codeHostId, repository }: { codeHostId: string; repository: Repository }) {
  const client = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (visibility: 'host' | 'organization') =>
      call('change-host-repository', { codeHostId, repositoryId: repository.repositoryId, visibility }),
    onSuccess: () => toast('Visibility changed'),
    onError: (error) => toast(error.message, 'danger'),
    onSettled: () => client.invalidateQueries({ queryKey: ['list-connected-repositories'] }),
  });
  const readers = repository.readerCount ?? 0;
  const asOnHost = repository.private
    ? `As on the host (${readers} ${readers === 1 ? 'member' : 'members'})`
    : 'As on the host (everyone)';
  return (
    <div className="w-64 max-w-full">
      <Select
        aria-label={`Visibility of ${repository.fullName}`}
        value={repository.visibility}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.target.value as 'host' | 'organization')}
      >
        <option value="host">{asOnHost}</option>
        <option value="organization">Everyone in the organization</option>
        {repository.visibility === 'members' && <option value="members">Chosen members</option>}
      </Select>
    </div>
  );
}
