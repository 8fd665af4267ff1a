/** Watching a repository, or some paths in it: off unless the reader chooses to. Admins choose for teams too. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Binoculars } from 'lucide-react';
import { useState } from 'react';
import { ApiProblem, type CallOutput, call } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextAreaField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { linesOf } from '../../components/line-list.ts';
import { ErrorState, LoadingRows } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { Choice } from '../fields/choice.tsx';

type Watch = CallOutput<'get-repository-watch'>;

const SCOPES = {
  off: 'Off: only what concerns you or mentions you',
  all: 'All pull requests',
  paths: 'Pull requests that change some paths',
} as const;
type Scope = keyof typeof SCOPES;

export function WatchControl({ repositoryId, name }: { repositoryId: string; name: string }) {
  const [open, setOpen] = useState(false);
  const { data } = useQuery(operationQuery('get-repository-watch', { repositoryId }));
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Binoculars className="size-4" aria-hidden="true" />
        {data?.watching ? 'Watching' : 'Watch'}
      </Button>
      <Dialog
        open={open}
        title={`Watch ${name}`}
        description="A watched pull request shows up once in the inbox: when it’s opened or ready for review, or when a push first changes a watched path."
        onClose={() => setOpen(false)}
      >
        <WatchChoice repositoryId={repositoryId} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function WatchChoice({ repositoryId, onClose }: { repositoryId: string; onClose(): void }) {
  const isAdmin = ['owner', 'admin'].includes(useSession().role);
  const { data, error, refetch } = useQuery(operationQuery('get-repository-watch', { repositoryId }));
  const teams = useQuery({ ...operationQuery('list-teams', {}), enabled: isAdmin }).data?.teams ?? [];
  const [teamId, setTeamId] = useState('');
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={3} />;
  return (
    <div className="grid gap-4">
      {isAdmin && teams.length > 0 && (
        <SelectField label="Who watches" value={teamId} onChange={(event) => setTeamId(event.target.value)}>
          <option value="">You</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {`Team ${name}`}
            </option>
          ))}
        </SelectField>
      )}
      <WatchForm
        key={teamId}
        repositoryId={repositoryId}
        teamId={teamId === '' ? undefined : teamId}
        watch={data}
        onClose={onClose}
      />
      {data.teams.length > 0 && <WatchingTeams teams={data.teams} />}
    </div>
  );
}

function WatchForm(props: {
  repositoryId: string;
  teamId: string | undefined;
  watch: Watch;
  onClose(): void;
}) {
  const { onClose, repositoryId, teamId, watch } = props;
  const client = useQueryClient();
  const toast = useToast();
  const team = watch.teams.find(({ id }) => id === teamId);
  const present = teamId === undefined ? (watch.watching ? watch.paths : undefined) : team?.paths;
  const [scope, setScope] = useState<Scope>(
    present === undefined ? 'off' : present.length === 0 ? 'all' : 'paths',
  );
  const form = useForm({ paths: (present ?? []).join('\n') }, async ({ paths }) => {
    const of = { repositoryId, ...(teamId !== undefined && { teamId }) };
    const globs = linesOf(paths);
    if (scope === 'paths' && globs.length === 0)
      throw new ApiProblem(400, { errors: [{ path: 'paths', message: 'must not be blank' }] }, undefined);
    const saved =
      scope === 'off'
        ? await call('unwatch-repository', of)
        : await call('watch-repository', { ...of, paths: scope === 'paths' ? globs : [] });
    client.setQueryData(operationQuery('get-repository-watch', { repositoryId }).queryKey, saved);
    void client.invalidateQueries({ queryKey: ['list-watches'] });
    toast('Saved');
    onClose();
  });
  return (
    <Form form={form} action="Save">
      <fieldset className="grid gap-1.5">
        <legend className="sr-only">What to watch</legend>
        {Object.entries(SCOPES).map(([value, label]) => (
          <Choice
            key={value}
            type="radio"
            name="scope"
            checked={scope === value}
            onChange={() => setScope(value as Scope)}
          >
            {value === 'off' && teamId !== undefined ? 'Off' : label}
          </Choice>
        ))}
      </fieldset>
      {scope === 'paths' && (
        <TextAreaField
          mono
          label="Paths"
          hint="One glob per line, such as src/billing/** or *.sql."
          spellCheck={false}
          {...form.field('paths')}
        />
      )}
    </Form>
  );
}

function WatchingTeams({ teams }: { teams: Watch['teams'] }) {
  return (
    <section className="grid gap-1 text-sm">
      <h3 className="font-medium">Teams that watch</h3>
      <ul className="grid gap-1 text-quiet">
        {teams.map(({ id, isMember, name, paths }) => (
          <li key={id} className="wrap-anywhere">
            {name}
            {isMember && ' (your team)'}: {paths.length === 0 ? 'all pull requests' : paths.join(', ')}
          </li>
        ))}
      </ul>
    </section>
  );
}
