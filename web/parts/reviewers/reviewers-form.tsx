/** A form that requests reviews from people of the organization, and from teams where they can be asked. */
import { useState } from 'react';
import { useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { type Chosen, NOBODY_CHOSEN, ReviewerChoices } from './reviewer-choices.tsx';

interface ReviewersFormProps {
  withTeams?: boolean;
  /** Who wrote it is never offered. */
  authorId?: string | null;
  /** Said beside a person or team, such as an earlier verdict. */
  stateOf(id: string): string | undefined;
  request(chosen: { userIds: string[]; teamIds: string[] }): Promise<void>;
  onClose(): void;
}

export function ReviewersForm({ authorId = null, onClose, request, stateOf, withTeams }: ReviewersFormProps) {
  const { user } = useSession();
  const [chosen, setChosen] = useState<Chosen>(NOBODY_CHOSEN);
  const [state, setState] = useState<{ busy: boolean; problem?: Error }>({ busy: false });
  const count = chosen.people.length + chosen.teams.length;
  const send = async () => {
    setState({ busy: true });
    try {
      await request({
        userIds: chosen.people.map(({ userId }) => userId),
        teamIds: chosen.teams.map(({ id }) => id),
      });
      onClose();
    } catch (problem) {
      setState({ busy: false, problem: problem as Error });
    }
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0) void send();
      }}
    >
      <ReviewerChoices
        autoFocus
        chosen={chosen}
        withTeams={withTeams}
        exceptIds={[user.id, authorId]}
        stateOf={stateOf}
        onChange={setChosen}
      />
      {state.problem && <ProblemNotice problem={state.problem} />}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={count === 0} busy={state.busy}>
          {count > 1 ? `Request ${count} reviews` : 'Request review'}
        </Button>
      </div>
    </form>
  );
}
