/** Chooses how to merge, now or when it is ready, with a preview of the message, and the reason if an admin bypasses the merge rule. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { operationQuery, useSession } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { useToast } from '../../../components/toast.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import {
  type PullRequest,
  shortCommit,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';
import { mergeChoices } from './merge-choices.ts';

const METHODS = {
  merge: { name: 'Merge', hint: 'All commits, and a merge commit.' },
  squash: { name: 'Squash', hint: 'One commit with all changes.' },
  rebase: { name: 'Rebase', hint: 'Each commit again on the base, without a merge commit.' },
};
type Method = keyof typeof METHODS;
type Messages = NonNullable<PullRequest['mergeMessages']>;

interface MergeDialogProps {
  pullRequest: PullRequest;
  onClose(): void;
}

export function MergeDialog({ open, ...props }: MergeDialogProps & { open: boolean }) {
  const { baseBranch, headBranch } = props.pullRequest;
  return (
    <Dialog
      open={open}
      title="Merge this pull request"
      description={`${headBranch} into ${baseBranch}`}
      onClose={props.onClose}
    >
      <MergeContent {...props} />
    </Dialog>
  );
}

function MergeContent({ onClose, pullRequest }: MergeDialogProps) {
  const { role, user } = useSession();
  // A push while the message is written is refused: nobody has seen it here.
  const [{ base, head }] = useState({ head: pullRequest.headCommit, base: pullRequest.baseCommit });
  const messages = useQuery({
    ...operationQuery('get-merge-messages', { pullRequestId: pullRequest.id, head: head ?? '' }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const choices = mergeChoices(pullRequest, { role, userId: user.id });
  if (choices.ways.length === 0)
    return (
      <div className="grid gap-4">
        <Missing missing={choices.missing} />
        <div className="justify-self-end">
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    );
  // Without the commits, the message names no co-authors; it is sent as it is shown.
  const shown = messages.data ?? (messages.isError ? pullRequest.mergeMessages : undefined);
  if (!shown)
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-quiet">
        <Spinner /> Reading the commits…
      </p>
    );
  return (
    <MergeForm
      pullRequest={pullRequest}
      onClose={onClose}
      messages={shown}
      rebaseBlocked={messages.data?.rebaseBlocked ?? null}
      base={base ?? ''}
      head={head ?? ''}
      choices={choices}
    />
  );
}

function Missing({ missing }: Pick<ReturnType<typeof mergeChoices>, 'missing'>) {
  if (missing.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="font-medium">Not ready yet:</p>
      <ul className="mt-1 list-disc pl-5 text-quiet">
        {missing.map(({ detail, title }) => (
          <li key={title}>
            {title}
            {detail && `. ${detail}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

const ACTIONS = { when_ready: 'Merge when ready', bypass: 'Bypass the rule and merge' };

function MergeForm({
  base,
  choices: { missing, ways },
  head,
  messages,
  onClose,
  pullRequest,
  rebaseBlocked,
}: MergeDialogProps & {
  base: string;
  head: string;
  messages: Messages;
  /** Why not. */
  rebaseBlocked: string | null;
  choices: ReturnType<typeof mergeChoices>;
}) {
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const { headBranch, headBranchDeletable, id: pullRequestId } = pullRequest;
  const [first] = ways;
  const form = useForm(
    {
      way: first!,
      method: 'merge',
      merge: messages.merge,
      squash: messages.squash,
      bypassReason: '',
      deleteBranch: '',
    },
    async (values) => {
      const chosen = values.method as Method;
      const wanted = {
        ...{ pullRequestId, method: chosen, head },
        ...(chosen !== 'rebase' && { message: values[chosen] }),
        ...(values.deleteBranch === 'yes' && { deleteBranch: true }),
      };
      if (values.way === 'when_ready') {
        showPullRequest(await call('set-merge-when-ready', wanted));
        toast('It will be merged when it is ready.');
      } else {
        const bypass = values.way === 'bypass' && { bypassReason: values.bypassReason };
        const merged = await call('merge-pull-request', { ...wanted, base, ...bypass });
        showPullRequest(merged);
        if (merged.state === 'merged') toast('Merged.');
      }
      onClose();
    },
  );
  const method = form.values.method as Method;
  const way = form.values.way as (typeof ways)[number];
  const cancel = (
    <Button look="quiet" onClick={onClose}>
      Cancel
    </Button>
  );
  return (
    <Form form={form} action={way === 'now' ? METHODS[method].name : ACTIONS[way]} aside={cancel}>
      <Missing missing={missing} />
      <fieldset className="grid gap-2">
        <legend className="sr-only">Method</legend>
        {(Object.keys(METHODS) as Method[]).map((each) => (
          <Choice
            key={each}
            type="radio"
            name="method"
            checked={method === each}
            disabled={each === 'rebase' && rebaseBlocked !== null}
            onChange={() => form.set('method', each)}
          >
            <span className="font-medium">{METHODS[each].name}</span>{' '}
            <span className="text-quiet">{(each === 'rebase' && rebaseBlocked) || METHODS[each].hint}</span>
          </Choice>
        ))}
      </fieldset>
      {method === 'rebase' ? (
        <p className="text-sm text-quiet">Each commit keeps its author and message.</p>
      ) : (
        <TextAreaField label="Commit message" rows={6} {...form.field(method)} />
      )}
      {ways.includes('bypass') && ways.length > 1 && (
        <Choice
          type="checkbox"
          name="bypass"
          checked={way === 'bypass'}
          onChange={(isOn) => form.set('way', isOn ? 'bypass' : first!)}
        >
          Bypass the merge rule and merge now
        </Choice>
      )}
      {way === 'bypass' && (
        <TextAreaField
          label="Reason"
          hint="Owners are notified, and the reason stays on the pull request."
          required
          {...form.field('bypassReason')}
        />
      )}
      {headBranchDeletable && (
        <Choice
          type="checkbox"
          name="deleteBranch"
          checked={form.values.deleteBranch === 'yes'}
          onChange={(isOn) => form.set('deleteBranch', isOn ? 'yes' : '')}
        >
          Delete {headBranch} after merging
        </Choice>
      )}
      {way === 'when_ready' ? (
        <p className="text-xs text-quiet">
          Merges {shortCommit(head)} for you once nothing is missing. A push, conflicts or closing turn this
          off, and you’re notified.
        </p>
      ) : (
        <p className="text-xs text-quiet">Merges exactly {shortCommit(head)}.</p>
      )}
    </Form>
  );
}
