/** Chooses how to merge, with a preview of the message, and the reason if an admin bypasses the merge rule. */
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import {
  type PullRequest,
  shortCommit,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';

const METHODS = {
  merge: { name: 'Merge', hint: 'All commits, and a merge commit.' },
  squash: { name: 'Squash', hint: 'One commit with all changes.' },
  rebase: { name: 'Rebase', hint: 'Each commit again on the base, without a merge commit.' },
};
type Method = keyof typeof METHODS;

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
      <MergeForm {...props} />
    </Dialog>
  );
}

function MergeForm({ pullRequest, onClose }: MergeDialogProps) {
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const { role } = useSession();
  // A push while the message is written is refused: nobody has seen it here.
  const [{ base, head }] = useState({ head: pullRequest.headCommit, base: pullRequest.baseCommit });
  const { headBranch, headBranchDeletable, mergeMessages, mergeRequirements } = pullRequest;
  const missing = (mergeRequirements?.requirements ?? []).filter(({ isMet }) => !isMet);
  const isAdmin = role === 'admin' || role === 'owner';
  const cannot = missing.some(({ kind }) => kind === 'draft' || kind === 'mergeability');
  const isBypass = missing.length > 0;
  const form = useForm(
    {
      method: 'merge',
      merge: mergeMessages?.merge ?? '',
      squash: mergeMessages?.squash ?? '',
      bypassReason: '',
      deleteBranch: '',
    },
    async (values) => {
      const method = values.method as Method;
      const merged = await call('merge-pull-request', {
        pullRequestId: pullRequest.id,
        method,
        head: head ?? '',
        base: base ?? '',
        ...(method !== 'rebase' && { message: values[method] }),
        ...(values.deleteBranch === 'yes' && { deleteBranch: true }),
        ...(isBypass && { bypassReason: values.bypassReason }),
      });
      showPullRequest(merged);
      if (merged.state === 'merged') toast('Merged.');
      onClose();
    },
  );
  const method = form.values.method as Method;
  const cancel = (
    <Button look="quiet" onClick={onClose}>
      Cancel
    </Button>
  );
  const list = isBypass && (
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
  if (isBypass && (cannot || !isAdmin))
    return (
      <div className="grid gap-4">
        {list}
        <div className="justify-self-end">
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    );
  return (
    <Form form={form} action={isBypass ? 'Bypass the rule and merge' : METHODS[method].name} aside={cancel}>
      {list}
      <fieldset className="grid gap-2">
        <legend className="sr-only">Method</legend>
        {(Object.keys(METHODS) as Method[]).map((each) => (
          <Choice
            key={each}
            type="radio"
            name="method"
            checked={method === each}
            onChange={() => form.set('method', each)}
          >
            <span className="font-medium">{METHODS[each].name}</span>{' '}
            <span className="text-quiet">{METHODS[each].hint}</span>
          </Choice>
        ))}
      </fieldset>
      {method === 'rebase' ? (
        <p className="text-sm text-quiet">Each commit keeps its author and message.</p>
      ) : (
        <TextAreaField label="Commit message" rows={6} {...form.field(method)} />
      )}
      {isBypass && (
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
      {head && <p className="text-xs text-quiet">Merges exactly {shortCommit(head)}.</p>}
    </Form>
  );
}
