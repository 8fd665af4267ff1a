/** Opens a pull request that reverts a merged one, or links the one that does. */
import { Link, useNavigate } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

const DONE: Record<NonNullable<PullRequest['revertedBy']>['state'], string> = {
  open: 'Being reverted by',
  draft: 'Being reverted by',
  merged: 'Reverted by',
  closed: 'Was to be reverted by',
};

export function RevertNote({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, baseBranch, id, number, revertedBy } = pullRequest;
  const [isOpened, setOpened] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const showPullRequest = useShowPullRequest();
  const navigate = useNavigate();
  const toast = useToast();
  const isReverting = revertedBy?.state === 'open' || revertedBy?.state === 'draft';
  const close = () => {
    setOpened(false);
    setProblem(undefined);
  };
  const revert = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const opened = await call('revert-pull-request', { pullRequestId: id });
      showPullRequest(opened);
      toast(`Opened #${opened.number}.`);
      await navigate({ to: '/pull-requests/$pullRequestId', params: { pullRequestId: opened.id } });
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {revertedBy && (
        <p className="text-sm text-quiet">
          {DONE[revertedBy.state]}{' '}
          <Link
            to="/pull-requests/$pullRequestId"
            params={{ pullRequestId: revertedBy.id }}
            className="rounded text-accent underline underline-offset-2"
          >
            #{revertedBy.number}
          </Link>
        </p>
      )}
      {allowedActions.includes('revert') && !isReverting && (
        <Button size="small" onClick={() => setOpened(true)}>
          <Undo2 className="size-4" aria-hidden="true" />
          Revert…
        </Button>
      )}
      <Dialog
        open={isOpened}
        title={`Revert #${number}?`}
        description={`Opens a pull request with one commit that undoes all of its changes. ${baseBranch} stays as it is until that is reviewed and merged.`}
        onClose={close}
      >
        <div className="grid grid-cols-1 gap-4">
          {problem && <Notice kind="danger">Nothing was reverted. {problem}</Notice>}
          <div className="flex justify-end gap-2">
            <Button look="quiet" onClick={close}>
              Cancel
            </Button>
            <Button look="primary" busy={isBusy} onClick={() => void revert()}>
              Open the revert
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
