/** What a person may do with the plan now: the usual decisions as buttons, all else in a menu. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheckBig, CircleX, Ellipsis, Link2, RotateCcw, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { copyText } from '../../../components/copy.tsx';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../../components/menu.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type Plan, useShowPlan } from '../plan-data.ts';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';

/** Decisions are about the version that was read; about an older one there is nothing to decide. */
export function PlanActions({ plan, isNewest }: { plan: Plan; isNewest: boolean }) {
  const [decision, setDecision] = useState<Decision>();
  const [isDeleting, setIsDeleting] = useState(false);
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
      <DeletePlan plan={plan} open={isDeleting} onClose={() => setIsDeleting(false)} />
    </div>
  );
}

const ICON = 'size-4';

function CopyLink({ url }: { url: string }) {
  const toast = useToast();
  const copy = async () => {
    toast((await copyText(url)) ? 'The link is copied.' : `Copy it yourself: ${url}`);
  };
  return (
    <MenuItem icon={<Link2 className={ICON} />} onSelect={() => void copy()}>
      Copy link
    </MenuItem>
  );
}

/** What each decision says before it is made, and what it does. */
function useDecisions(plan: Plan) {
  const showPlan = useShowPlan();
  const toast = useToast();
  const { seriesId, version, versionId } = plan;
  const done = (answer: Parameters<typeof showPlan>[0], said: string) => {
    showPlan(answer);
    toast(said);
  };
  /** An empty note is none. */
  const noted = (note: string) => ({ seriesId, ...(note && { note }) });
  return {
    approve: {
      title: `Approve version ${version}?`,
      description: 'The agent that waits for it may start. Another version needs another approval.',
      action: 'Approve',
      async decide(note) {
        done(await call('approve-plan', { ...noted(note), versionId }), `You approved version ${version}.`);
      },
    },
    requestChanges: {
      title: `Request changes to version ${version}`,
      description:
        plan.status === 'approved'
          ? 'The plan is approved; with this it is pending again.'
          : 'Whoever posts the next version reads this first.',
      action: 'Request changes',
      needsNote: true,
      async decide(note) {
        done(await call('request-plan-changes', { seriesId, note, versionId }), 'You asked for changes.');
      },
    },
    withdraw: {
      title: 'Withdraw the approval?',
      description: 'Without an approval the plan is pending again, and the agent should wait.',
      action: 'Withdraw approval',
      async decide(note) {
        done(await call('withdraw-plan-approval', noted(note)), 'The approval is withdrawn.');
      },
    },
    markImplemented: {
      title: 'Mark the plan as implemented?',
      description: 'For work that is done. A later version with other content makes it pending again.',
      action: 'Mark as implemented',
      async decide(note) {
        done(await call('mark-plan-implemented', noted(note)), 'The plan is implemented.');
      },
    },
    close: {
      title: 'Close the plan?',
      description: 'For a plan that will not be carried out. It can be reopened.',
      action: 'Close plan',
      async decide(note) {
        done(await call('close-plan', noted(note)), 'The plan is closed.');
      },
    },
    reopen: {
      title: 'Reopen the plan?',
      description: 'It is pending then, and can be reviewed again.',
      action: 'Reopen plan',
      async decide(note) {
        done(await call('reopen-plan', noted(note)), 'The plan is open again.');
      },
    },
  } satisfies Record<string, Decision>;
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
      toast('The plan is deleted.');
      void client.invalidateQueries({ queryKey: ['list-plans'] });
    } catch (error) {
      setState({ busy: false, problem: error as Error });
    }
  };
  return (
    <ConfirmDialog
      open={open}
      title={`Delete “${plan.title}”?`}
      description={`All ${plan.version === 1 ? 'of it' : `${plan.version} versions`} and ${countOf(plan.commentCount)} are gone for everybody, and its session can post no more versions. It cannot be undone.`}
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

function countOf(comments: number): string {
  return comments === 1 ? 'its comment' : `${comments} comments`;
}
