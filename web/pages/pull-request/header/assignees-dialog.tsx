/** Chooses who is assigned to a pull request. */
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { ReviewerChoices } from '../../../parts/reviewers/reviewer-choices.tsx';
import { SaveForm } from './save-form.tsx';

export function AssigneesDialog(props: { pullRequest: PullRequest; open: boolean; onClose(): void }) {
  return (
    <Dialog
      open={props.open}
      title="Assignees"
      description="Who works on it. They're notified in their inbox."
      onClose={props.onClose}
    >
      <AssigneesForm {...props} />
    </Dialog>
  );
}

/** Mounted only while the dialog is open: what others change meanwhile is neither lost nor undone. */
function AssigneesForm({ onClose, pullRequest }: { pullRequest: PullRequest; onClose(): void }) {
  const [before] = useState(pullRequest.assignees);
  const [chosen, setChosen] = useState(before.map(({ id, name }) => ({ userId: id, name })));
  const showPullRequest = useShowPullRequest();
  const isChosen = (id: string) => chosen.some(({ userId }) => userId === id);
  return (
    <SaveForm
      onClose={onClose}
      save={async () => {
        const add = chosen.map(({ userId }) => userId).filter((id) => before.every((one) => one.id !== id));
        const remove = before.map(({ id }) => id).filter((id) => !isChosen(id));
        showPullRequest(await call('change-assignees', { pullRequestId: pullRequest.id, add, remove }));
      }}
    >
      {before.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Assigned</legend>
          {before.map(({ id, name }) => (
            <Choice
              key={id}
              type="checkbox"
              name={id}
              checked={isChosen(id)}
              onChange={(isOn) =>
                setChosen((now) => [
                  ...now.filter(({ userId }) => userId !== id),
                  ...(isOn ? [{ userId: id, name }] : []),
                ])
              }
            >
              {name}
            </Choice>
          ))}
        </fieldset>
      )}
      <ReviewerChoices
        autoFocus
        chosen={{ people: chosen, teams: [] }}
        exceptIds={before.map(({ id }) => id)}
        onChange={({ people }) => setChosen([...people])}
      />
    </SaveForm>
  );
}
