/** Chooses the labels of a pull request: those used in its repository, or new ones. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/field.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { labelsQuery } from '../../../parts/pull-requests/labels-query.ts';
import { SaveForm } from './save-form.tsx';

const MAX_CHARACTERS = 50;
const fold = (label: string) => label.toLowerCase();

export function LabelsDialog(props: { pullRequest: PullRequest; open: boolean; onClose(): void }) {
  return (
    <Dialog
      open={props.open}
      title="Labels"
      description="Choose from those of this repository, or type a new one."
      onClose={props.onClose}
    >
      <LabelsForm {...props} />
    </Dialog>
  );
}

/** Mounted only while the dialog is open: what others change meanwhile is neither lost nor undone. */
function LabelsForm({ onClose, pullRequest }: { pullRequest: PullRequest; onClose(): void }) {
  const { id: pullRequestId, repository } = pullRequest;
  const client = useQueryClient();
  const showPullRequest = useShowPullRequest();
  const used = useQuery(labelsQuery(repository.id)).data?.labels ?? [];
  const [before] = useState(pullRequest.labels);
  const [chosen, setChosen] = useState<readonly string[]>(before);
  const [typed, setTyped] = useState('');
  const word = typed.trim().replace(/\s+/g, ' ');
  const all = [...new Map([...used, ...before, ...chosen].map((label) => [fold(label), label])).values()];
  const shown = all.filter((label) => fold(label).includes(fold(word)));
  const known = all.find((label) => fold(label) === fold(word));
  const choose = (label: string, isChosen: boolean) =>
    setChosen((now) => [...now.filter((each) => fold(each) !== fold(label)), ...(isChosen ? [label] : [])]);
  const addTyped = () => {
    choose(known ?? word, true);
    setTyped('');
  };
  return (
    <SaveForm
      onClose={onClose}
      save={async () => {
        const now = word === '' ? chosen : [...chosen, known ?? word];
        const add = now.filter((label) => !before.includes(label));
        const remove = before.filter((label) => !now.includes(label));
        showPullRequest(await call('change-labels', { pullRequestId, add, remove }));
        void client.invalidateQueries({ queryKey: ['list-labels'] });
      }}
    >
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Find or add a label"
            autoFocus
            autoComplete="off"
            maxLength={MAX_CHARACTERS}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || word === '') return;
              event.preventDefault();
              addTyped();
            }}
          />
        </div>
        <Button onClick={addTyped} disabled={word === ''}>
          Add
        </Button>
      </div>
      {shown.length > 0 && (
        <fieldset className="max-h-64 min-w-0 overflow-y-auto rounded-lg border border-line">
          <legend className="sr-only">Labels</legend>
          {shown.map((label) => (
            <label
              key={label}
              className="flex cursor-pointer items-center gap-3 px-3 py-2 text-sm hover:bg-sunken has-focus-visible:bg-sunken"
            >
              <input
                type="checkbox"
                checked={chosen.some((each) => fold(each) === fold(label))}
                onChange={({ target }) => choose(label, target.checked)}
                className="size-4 accent-accent"
              />
              <span className="min-w-0 wrap-anywhere">{label}</span>
            </label>
          ))}
        </fieldset>
      )}
    </SaveForm>
  );
}
