/** Actions on the plan that this person has now: the usual decisions as buttons, the rest in a menu. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  CircleCheckBig,
  CircleX,
  Ellipsis,
  GitPullRequest,
  Link2,
  RotateCcw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { copyText } from '../../../components/copy.tsx';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../../components/menu.tsx';
import { useToast } from '../../../components/toast.tsx';
import { reviewCountsQuery } from '../../../frame/count-queries.ts';
import { membersQuery, type Plan, useShowPlan } from '../plan-data.ts';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import { LinkPullRequest } from './link-pull-request.tsx';
import { OpenCommentsNote } from './open-comments-note.tsx';

/** Decisions are about the newest version. */
export function PlanActions({ plan, isNewest }: { plan: Plan; isNewest: boolean }) {
  const [decision, setDecision] = useState<Decision>();
  const [isDeleting, setIsDeleting] = useState(false);
  const [isLinking, setIsLinking] = useState(false);
  const decisions = useDecisions(plan);
  const may = (action: Plan['actions'][number]) => plan.actions.includes(action);
  return (
    <div className="flex shrink-0 items-center gap-1.5">
      {isNewest && may('request_changes') && (
        <Button size="small" onClick={() => setDecision(decisions.requestChanges)}>
          Request changes
        </Button>
      )}
      {isNewest && may('approve') && (
        <Button size="small" look="primary" onClick={() => setDecision(decisions.approve)}>
          Approve
        </Button>
      )}
      <Menu
        trigger={
          <Button size="small" look="quiet" className="px-2!" aria-label="More actions">
            <Ellipsis className="size-4" aria-hidden="true" />
          </Button>
        }
      >
        <CopyLink url={plan.url} />
        {may('comment') && (
          <MenuItem icon={<GitPullRequest className={ICON} />} onSelect={() => setIsLinking(true)}>
            Link a pull request
          </MenuItem>
        )}
        {may('withdraw_approval') && (
          <MenuItem icon={<Undo2 className={ICON} />} onSelect={() => setDecision(decisions.withdraw)}>
            Withdraw approval
          </MenuItem>
        )}
        {may('mark_implemented') && (
          <MenuItem
            icon={<CircleCheckBig className={ICON} />}
            onSelect={() => setDecision(decisions.markImplemented)}
          >
            Mark as implemented
          </MenuItem>
        )}
        {may('close') && (
          <MenuItem icon={<CircleX className={ICON} />} onSelect={() => setDecision(decisions.close)}>
            Close
          </MenuItem>
        )}
        {may('reopen') && (
          <MenuItem icon={<RotateCcw className={ICON} />} onSelect={() => setDecision(decisions.reopen)}>
            Reopen
          </MenuItem>
        )}
        {may('delete') && (
          <>
            <MenuLine />
            <MenuItem danger icon={<Trash2 className={ICON} />} onSelect={() => setIsDeleting(true)}>
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      <DecisionDialog decision={decision} onClose={() => setDecision(undefined)} />
      <LinkPullRequest plan={plan} open={isLinking} onClose={() => setIsLinking(false)} />
      <DeletePlan plan={plan} open={isDeleting} onClose={() => setIsDeleting(false)} />
    </div>
  );
}

const ICON = 'size-4';

function CopyLink({ url }: { url: string }) {
  const toast = useToast();
  const copy = async () => {
    toast((await copyText(url)) ? 'Link copied.' : `Copy this link: ${url}`);
  };
  return (
    <MenuItem icon={<Link2 className={ICON} />} onSelect={() => void copy()}>
      Copy link
    </MenuItem>
  );
}

/** The dialog of each decision, and what it does. */
function useDecisions(plan: Plan) {
  const showPlan = useShowPlan();
  const toast = useToast();
  const { seriesId, version, versionId } = plan;
  const done = (answer: Parameters<typeof showPlan>[0], said: string) => {
    showPlan(answer);
    toast(said);
  };
  const isImplemented = plan.status === 'implemented';
  const unapproved = isImplemented
    ? 'the plan stays linked, but is no longer approved.'
    : 'the plan is pending again.';
  const whyOwn = useOwnApprovalReason(plan);
  /** An empty note is not sent. */
  const noted = (note: string) => ({ seriesId, ...(note && { note }) });
  return {
    approve: {
      title: `Approve version ${version}?`,
      description: `${whyOwn}${isImplemented ? 'A pull request is linked already.' : 'The waiting agent can start.'} New versions need a new approval.`,
      action: 'Approve',
      before: (onClose) => <OpenCommentsNote plan={plan} onLeave={onClose} />,
      async decide(note) {
        done(await call('approve-plan', { ...noted(note), versionId }), `You approved version ${version}.`);
      },
    },
    requestChanges: {
      title: `Request changes to version ${version}`,
      description:
        plan.reviewState === 'approved'
          ? `This withdraws the approval: ${unapproved}`
          : 'The author sees this before posting the next version.',
      action: 'Request changes',
      needsNote: true,
      async decide(note) {
        done(await call('request-plan-changes', { seriesId, note, versionId }), 'Changes requested.');
      },
    },
    withdraw: {
      title: 'Withdraw approval?',
      description: isImplemented
        ? 'The plan stays linked, but is no longer approved.'
        : 'The plan is pending again, and the agent should wait.',
      action: 'Withdraw approval',
      async decide(note) {
        done(await call('withdraw-plan-approval', noted(note)), 'Approval withdrawn.');
      },
    },
    markImplemented: {
      title: 'Mark as implemented?',
      description: 'The work is done. A new version with changes makes the plan pending again.',
      action: 'Mark as implemented',
      async decide(note) {
        done(await call('mark-plan-implemented', noted(note)), 'Marked as implemented.');
      },
    },
    close: {
      title: 'Close plan?',
      description: 'Close a plan that won’t be implemented. You can reopen it.',
      action: 'Close plan',
      async decide(note) {
        done(await call('close-plan', noted(note)), 'Plan closed.');
      },
    },
    reopen: {
      title: 'Reopen plan?',
      description: 'The plan becomes pending and can be reviewed again.',
      action: 'Reopen plan',
      async decide(note) {
        done(await call('reopen-plan', noted(note)), 'Plan reopened.');
      },
    },
  } satisfies Record<string, Decision>;
}

/** Why this person can approve their own plan; empty for everyone else. */
function useOwnApprovalReason({ createdBy, versions }: Plan): string {
  const { organization, user } = useSession();
  const isOwn = createdBy.id === user.id || versions[0]?.author.id === user.id;
  const { data } = useQuery({ ...membersQuery, enabled: isOwn });
  if (!isOwn || !data) return '';
  const active = data.members.filter(({ deactivatedAt }) => deactivatedAt === null);
  return active.length === 1
    ? `This is your own plan. You can approve it because you’re the only active member of ${organization.name}. `
    : `This is your own plan. ${organization.name} allows members to approve their own plans. `;
}

function DeletePlan({ plan, open, onClose }: { plan: Plan; open: boolean; onClose(): void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [state, setState] = useState<{ busy: boolean; problem?: Error }>({ busy: false });
  const remove = async () => {
    setState({ busy: true });
    try {
      await call('delete-plan', { seriesId: plan.seriesId });
      await navigate({ to: '/plans' });
      toast('Plan deleted.');
      void client.invalidateQueries({ queryKey: ['list-plans'] });
      void client.invalidateQueries(reviewCountsQuery);
    } catch (error) {
      setState({ busy: false, problem: error as Error });
    }
  };
  return (
    <ConfirmDialog
      open={open}
      title={`Delete “${plan.title}”?`}
      description="Permanently deletes the plan for everyone. The agent can’t post new versions to it."
      action="Delete plan"
      busy={state.busy}
      problem={state.problem}
      onClose={() => {
        setState({ busy: false });
        onClose();
      }}
      onConfirm={() => void remove()}
    />
  );
}
