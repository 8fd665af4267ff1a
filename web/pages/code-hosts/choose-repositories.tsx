/** Choosing repositories of a host: one by one from its list, by a pattern, or all. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, ProblemNotice, useForm } from '../../components/form.tsx';
import { ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import type { CodeHost } from './host-state.tsx';

const MAX_AT_ONCE = 50;

export function ChooseRepositories({
  host,
  open,
  onClose,
}: {
  host: CodeHost;
  open: boolean;
  onClose(): void;
}) {
  const [byPattern, setByPattern] = useState(false);
  return (
    <Dialog
      open={open}
      title="Add repositories"
      description="Public ones become visible to everyone in the organization, private ones to admins and to members whose linked account can read them."
      onClose={onClose}
    >
      <div className="grid gap-4">
        <fieldset className="flex flex-wrap gap-4 text-sm">
          <legend className="sr-only">How to choose</legend>
          <label className="flex items-center gap-2">
            <input type="radio" name="way" checked={!byPattern} onChange={() => setByPattern(false)} />
            From the list
          </label>
          <label className="flex items-center gap-2">
            <input type="radio" name="way" checked={byPattern} onChange={() => setByPattern(true)} />
            By pattern, or all
          </label>
        </fieldset>
        {byPattern ? <PatternForm host={host} onDone={onClose} /> : <FromList host={host} onDone={onClose} />}
      </div>
    </Dialog>
  );
}

/** Updates this page after repositories were added. */
function useAdded(onDone: () => void) {
  const client = useQueryClient();
  const toast = useToast();
  return ({ added, selection, skipped }: CallOutput<'add-host-repositories'>) => {
    for (const name of ['list-code-hosts', 'list-connected-repositories', 'list-host-repositories'])
      void client.invalidateQueries({ queryKey: [name] });
    const [first] = skipped;
    if (first) toast(`${first.fullName} was not added. ${first.reason}`, 'danger');
    else if (selection) toast('Repositories are being added');
    else toast(added.length === 1 ? 'Repository added' : `${added.length} repositories added`);
    onDone();
  };
}

function FromList({ host, onDone }: { host: CodeHost; onDone(): void }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const settled = useDeferredValue(search.trim());
  const pages = useInfiniteQuery({
    queryKey: ['list-host-repositories', host.id, settled],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('list-host-repositories', { codeHostId: host.id, search: settled, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const added = useAdded(onDone);
  const add = useMutation({
    mutationFn: () => call('add-host-repositories', { codeHostId: host.id, names: chosen }),
    onSuccess: added,
  });
  const repositories = pages.data?.pages.flatMap((page) => page.repositories) ?? [];
  const choose = (name: string, on: boolean) =>
    setChosen((before) => (on ? [...before, name] : before.filter((one) => one !== name)));
  return (
    <div className="grid gap-4">
      <TextField
        label="Filter by name"
        type="search"
        value={search}
        autoComplete="off"
        onChange={(event) => setSearch(event.target.value)}
      />
      {pages.error && !pages.data && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingRows rows={2} />}
      {pages.data && repositories.length === 0 && (
        <p className="py-4 text-center text-sm text-quiet">
          {settled ? 'No matching repositories.' : 'The credential can’t read any repositories.'}
        </p>
      )}
      {repositories.length > 0 && (
        <fieldset className="max-h-[40dvh] overflow-y-auto rounded-md border border-line">
          <legend className="sr-only">Repositories</legend>
          {repositories.map((one) => (
            <label
              key={one.id}
              className="flex items-center gap-3 border-b border-line px-3 py-2 text-sm last:border-b-0 hover:bg-sunken"
            >
              <input
                type="checkbox"
                checked={one.repositoryId !== null || chosen.includes(one.fullName)}
                disabled={one.repositoryId !== null}
                onChange={(event) => choose(one.fullName, event.target.checked)}
              />
              <span className="min-w-0 flex-1 wrap-anywhere">{one.fullName}</span>
              {one.archived && <Badge>Archived</Badge>}
              {one.repositoryId !== null ? (
                <Badge kind="good">Added</Badge>
              ) : (
                one.private && <Badge>Private</Badge>
              )}
            </label>
          ))}
        </fieldset>
      )}
      <ShowMore pages={pages} />
      {add.error && <ProblemNotice problem={add.error} />}
      <div className="flex items-center justify-end gap-3">
        {chosen.length > MAX_AT_ONCE && (
          <span className="text-sm text-quiet">At most {MAX_AT_ONCE} at once. Use a pattern for more.</span>
        )}
        <Button
          look="primary"
          busy={add.isPending}
          disabled={chosen.length === 0 || chosen.length > MAX_AT_ONCE}
          onClick={() => add.mutate()}
        >
          {chosen.length > 1 ? `Add ${chosen.length} repositories` : 'Add repository'}
        </Button>
      </div>
    </div>
  );
}

function PatternForm({ host, onDone }: { host: CodeHost; onDone(): void }) {
  const [includeNew, setIncludeNew] = useState(true);
  const added = useAdded(onDone);
  const form = useForm({ pattern: '' }, async ({ pattern }) => {
    added(await call('add-host-repositories', { codeHostId: host.id, pattern, includeNew }));
  });
  return (
    <Form form={form} action="Add matching repositories">
      <TextField
        label="Pattern"
        placeholder="acme/*"
        hint="* stands for any characters: acme/* for all repositories of acme, * alone for everything. Archived ones are left out."
        autoComplete="off"
        {...form.field('pattern')}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={includeNew}
          onChange={(event) => setIncludeNew(event.target.checked)}
        />
        Also add repositories that are created later
      </label>
    </Form>
  );
}
