/** Says whose merge waits until nothing is missing, and turns it off. */
import { Hourglass } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { Time } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

type Waiting = NonNullable<PullRequest['mergeWhenReady']>;

const WILL: Record<Waiting['method'], string> = {
  merge: 'Merges',
  squash: 'Squashes and merges',
  rebase: 'Rebases and merges',
};

export function WaitingMerge({ pullRequest, waiting }: { pullRequest: PullRequest; waiting: Waiting }) {
  const { role, user } = useSession();
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const { deleteBranch, method, person, since } = waiting;
  const isMine = person.id === user.id;
  const turnOff = async () => {
    setBusy(true);
    try {
      showPullRequest(await call('end-merge-when-ready', { pullRequestId: pullRequest.id }));
      toast('Merge when ready is off.');
    } catch (error) {
      toast((error as Error).message, 'danger');
    } finally {
      setBusy(false);
    }
  };
  return (
    <div
      role="status"
      className="flex w-full max-w-xl flex-wrap items-start gap-x-3 gap-y-2 rounded-md border border-line bg-sunken px-3 py-2 text-sm"
    >
      <Hourglass className="mt-[0.15rem] size-4 shrink-0 text-accent" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-medium">
          {WILL[method]} when ready, for {isMine ? 'you' : person.name}
        </span>
        <span className="block text-[0.8125rem] text-quiet">
          Turned on <Time at={since} />. A push turns it off.
          {deleteBranch && ` The branch ${pullRequest.headBranch} is deleted afterwards.`}
        </span>
      </p>
      {(isMine || role === 'admin' || role === 'owner') && (
        <Button size="small" look="quiet" busy={isBusy} onClick={() => void turnOff()}>
          Turn off
        </Button>
      )}
    </div>
  );
}
