/** Dismisses a finding of a reviewer with a reason, and says where it stays silent from then on. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CallOutput, call } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TextWithCode } from '../../../components/text-with-code.tsx';
import { useToast } from '../../../components/toast.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import { pullRequestQuery } from '../../../parts/pull-request/pull-request-data.ts';
import {
  type Discussion,
  discussionsQuery,
  showDiscussion,
} from '../../../parts/pull-request/threads/discussion-data.ts';
import { labelOf, REASONS, type Scope } from '../../../parts/pull-request/threads/dismissal-words.tsx';

/** This finding first, then everything of its check. */
const ORDER: Scope[] = ['pull_request', 'repository', 'organization', 'path', 'symbol'];
type Preview = CallOutput<'preview-dismissal'>;

export function DismissDialog(props: {
  discussion: Discussion;
  pullRequestId: string;
  open: boolean;
  onClose(): void;
}) {
  return (
    <Dialog
      open={props.open}
      title="Dismiss this finding"
      description="Resolves the discussion. Choose below which findings reviewers shouldn’t raise again."
      onClose={props.onClose}
    >
      <DismissForm {...props} />
    </Dialog>
  );
}

function DismissForm(props: { discussion: Discussion; pullRequestId: string; onClose(): void }) {
  const { discussion, onClose, pullRequestId } = props;
  const client = useQueryClient();
  const toast = useToast();
  const form = useForm({ reason: '', scope: 'pull_request', note: '' }, async ({ note, reason, scope }) => {
    if (reason === '') throw new Error('Choose a reason.');
    const dismissed = await call('dismiss-finding', {
      discussionId: discussion.id,
      reason: reason as keyof typeof REASONS,
      scope: scope as Scope,
      ...(note.trim() && { note: note.trim() }),
    });
    showDiscussion(client, pullRequestId, dismissed);
    void client.invalidateQueries(pullRequestQuery(pullRequestId));
    void client.invalidateQueries(discussionsQuery(pullRequestId));
    toast('Finding dismissed');
    onClose();
  });
  const { data: preview } = useQuery({
    ...operationQuery('preview-dismissal', {
      discussionId: discussion.id,
      scope: form.values.scope as Scope,
    }),
    placeholderData: keepPreviousData,
  });
  const possible = preview?.scopes ?? ['pull_request'];
  const scopes = ORDER.filter((scope) => possible.includes(scope));
  return (
    <Form
      form={form}
      action="Dismiss"
      aside={
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">Reason</legend>
        {Object.entries(REASONS).map(([value, label]) => (
          <Choice
            key={value}
            type="radio"
            name="reason"
            checked={form.values.reason === value}
            onChange={() => {
              form.set('reason', value);
              form.fail(undefined);
            }}
          >
            {label}
          </Choice>
        ))}
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">Don’t raise again</legend>
        {scopes.map((scope) => (
          <Choice
            key={scope}
            type="radio"
            name="scope"
            checked={form.values.scope === scope}
            onChange={() => form.set('scope', scope)}
          >
            {labelOf(scope, preview)}
          </Choice>
        ))}
        {preview?.looksFor && scopes.some((scope) => scope === 'path' || scope === 'symbol') && (
          <p className="text-xs text-quiet">
            The check looks for <TextWithCode text={preview.looksFor} />.
          </p>
        )}
      </fieldset>
      {form.values.reason === 'wrong' && preview?.pausesCheck && (
        <Notice kind="warn">
          This is the second finding of this check dismissed as wrong in this repository. The check will be
          paused here until one of them is reopened.
        </Notice>
      )}
      <Hidden hides={preview?.hides ?? []} />
      <TextAreaField label="Note (optional)" {...form.field('note')} />
    </Form>
  );
}

const MAX_SHOWN = 5;

/** Open findings that are dismissed with this one. */
function Hidden({ hides }: Pick<Preview, 'hides'>) {
  return (
    <div aria-live="polite" className="text-sm">
      {hides.length > 0 && (
        <div className="grid gap-1 rounded-md border border-line bg-sunken p-3">
          <p>
            Also dismisses {hides.length === 1 ? 'this open finding' : `these ${hides.length} open findings`}:
          </p>
          <ul className="grid gap-1 text-quiet">
            {hides.slice(0, MAX_SHOWN).map((each) => (
              <li key={each.discussionId} className="wrap-anywhere">
                {each.title} ({each.repository}#{each.pullRequestNumber}, {each.file}:{each.line})
              </li>
            ))}
            {hides.length > MAX_SHOWN && <li>{hides.length - MAX_SHOWN} more</li>}
          </ul>
        </div>
      )}
    </div>
  );
}
