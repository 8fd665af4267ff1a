/** A form in a dialog that saves what is chosen and closes. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { ProblemNotice } from '../../../components/form.tsx';

export function SaveForm(props: { save(): Promise<void>; onClose(): void; children: ReactNode }) {
  const { children, onClose, save } = props;
  const [state, setState] = useState<{ busy: boolean; problem?: Error }>({ busy: false });
  const send = async () => {
    setState({ busy: true });
    try {
      await save();
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
        void send();
      }}
    >
      {children}
      {state.problem && <ProblemNotice problem={state.problem} />}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={state.busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
