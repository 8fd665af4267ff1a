/** Actions on the pull request that this person has now. */
import {
  Bell,
  BellOff,
  CircleDashed,
  CircleX,
  Ellipsis,
  Link2,
  Pencil,
  RotateCcw,
  UserRoundCheck,
} from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { copyText } from '../../../components/copy.tsx';
import { Menu, MenuItem } from '../../../components/menu.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { usePending } from '../../../parts/pull-request/threads/pending-data.ts';
import { useMute } from '../../../parts/pull-request/use-mute.ts';
import { EditDialog } from './edit-dialog.tsx';
import { RequestReviewDialog } from './request-review-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { ReviewPlace } from './review-place.tsx';

const ICON = 'size-4';

export function PullRequestActions({
  pullRequest,
  shown,
}: {
  pullRequest: PullRequest;
  shown: string | null;
}) {
  const [dialog, setDialog] = useState<'review' | 'request' | 'edit'>();
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const may = (action: PullRequest['allowedActions'][number]) => pullRequest.allowedActions.includes(action);
  const close = () => setDialog(undefined);
  const mute = useMute();
  const pending = usePending(pullRequest.id).length;
  const setState = async (state: 'open' | 'draft' | 'closed', said: string) => {
    try {
      showPullRequest(await call('change-pull-request', { pullRequestId: pullRequest.id, state }));
      toast(said);
    } catch (error) {
      toast((error as Error).message, 'danger');
    }
  };
  const copyLink = async () => {
    const link = new URL(location.pathname, location.origin).href;
    toast((await copyText(link)) ? 'Link copied.' : `Copy this link: ${link}`);
  };
  return (
    <div className="flex shrink-0 items-center gap-1.5">
      {may('review') && (
        <ReviewPlace>
          <Button size="small" look="primary" onClick={() => setDialog('review')}>
            {pending === 0 ? 'Review' : `Submit review (${pending})`}
          </Button>
        </ReviewPlace>
      )}
      {pullRequest.state === 'draft' && may('edit') && (
        <Button size="small" onClick={() => void setState('open', 'Ready for review.')}>
          Ready for review
        </Button>
      )}
      <Menu
        trigger={
          <Button size="small" look="quiet" className="px-2!" aria-label="More actions">
            <Ellipsis className={ICON} aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<Link2 className={ICON} />} onSelect={() => void copyLink()}>
          Copy link
        </MenuItem>
        <MenuItem
          icon={pullRequest.muted ? <Bell className={ICON} /> : <BellOff className={ICON} />}
          onSelect={() => void mute(pullRequest.id, !pullRequest.muted)}
        >
          {pullRequest.muted ? 'Unmute' : 'Mute'}
        </MenuItem>
        {may('request_review') && (
          <MenuItem icon={<UserRoundCheck className={ICON} />} onSelect={() => setDialog('request')}>
            Request review
          </MenuItem>
        )}
        {may('edit') && (
          <MenuItem icon={<Pencil className={ICON} />} onSelect={() => setDialog('edit')}>
            Edit
          </MenuItem>
        )}
        {pullRequest.state === 'open' && may('edit') && (
          <MenuItem
            icon={<CircleDashed className={ICON} />}
            onSelect={() => void setState('draft', 'Converted to a draft.')}
          >
            Convert to draft
          </MenuItem>
        )}
        {may('close') && (
          <MenuItem
            icon={<CircleX className={ICON} />}
            onSelect={() => void setState('closed', 'Pull request closed.')}
          >
            Close
          </MenuItem>
        )}
        {may('reopen') && (
          <MenuItem
            icon={<RotateCcw className={ICON} />}
            onSelect={() => void setState('open', 'Pull request reopened.')}
          >
            Reopen
          </MenuItem>
        )}
      </Menu>
      <ReviewDialog pullRequest={pullRequest} shown={shown} open={dialog === 'review'} onClose={close} />
      <RequestReviewDialog pullRequest={pullRequest} open={dialog === 'request'} onClose={close} />
      <EditDialog pullRequest={pullRequest} open={dialog === 'edit'} onClose={close} />
    </div>
  );
}
