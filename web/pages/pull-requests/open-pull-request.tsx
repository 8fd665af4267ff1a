/** The dialog that opens a pull request between two branches of a repository. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { MarkdownField, SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { useToast } from '../../components/toast.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { BranchField } from '../../parts/pull-requests/branch-field.tsx';
import { type Chosen, NOBODY_CHOSEN, ReviewerChoices } from '../../parts/reviewers/reviewer-choices.tsx';
import { useDescriptionTemplate } from './description-template.ts';
import { ExpectedReviewers, useExpectedReviewers } from './expected-reviewers.tsx';
import { suggestTitle } from './suggest-title.ts';

interface OpenPullRequestProps {
  open: boolean;
  /** The repository that is chosen first. */
  repositoryId?: string;
  onClose(): void;
}

export function OpenPullRequest({ onClose, open, repositoryId }: OpenPullRequestProps) {
  return (
    <Dialog
      open={open}
      title="Open a pull request"
      description="For repositories without a code host. Pull requests of a connected code host appear automatically."
      onClose={onClose}
    >
      <OpenForm repositoryId={repositoryId} onClose={onClose} />
    </Dialog>
  );
}

/** Mounted only while the dialog is open. */
function OpenForm({ onClose, repositoryId }: Omit<OpenPullRequestProps, 'open'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { user } = useSession();
  const [isDraft, setIsDraft] = useState(false);
  const [reviewers, setReviewers] = useState<Chosen>(NOBODY_CHOSEN);
  const { data } = useQuery({ ...operationQuery('list-repositories', { limit: 200 }), staleTime: 60_000 });
  const repositories = data?.repositories ?? [];
  const form = useForm(
    { repository: repositoryId ?? '', head: '', base: '', title: '', description: '' },
    async ({ base, description, head, title }) => {
      const opened = await call('open-pull-request', {
        repository: chosen?.name ?? '',
        head: head.trim(),
        title,
        ...(base.trim() && { base: base.trim() }),
        ...(description.trim() && { description }),
        ...(isDraft && { draft: true }),
        reviewers: [
          ...reviewers.people.map(({ email }) => email!),
          ...reviewers.teams.map(({ name }) => name),
        ],
      });
      void client.invalidateQueries({ queryKey: ['list-pull-requests'] });
      toast(`Pull request #${opened.number} opened.`);
      onClose();
      await navigate({ to: '/pull-requests/$pullRequestId', params: { pullRequestId: opened.id } });
    },
    'open-pull-request',
  );
  const cancel = () => {
    form.discard();
    onClose();
  };
  const chosen =
    repositories.find(({ id }) => id === form.values.repository) ??
    (repositories.length === 1 ? repositories[0] : undefined);
  const expected = useExpectedReviewers(chosen?.id, form.values);
  // Filled in until someone writes, also when another repository is chosen.
  const template = useDescriptionTemplate(chosen?.name);
  const filled = useRef('');
  const { description } = form.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another template is a reason to fill it in.
  useEffect(() => {
    if (template === undefined || description !== filled.current || description === template) return;
    filled.current = template;
    form.set('description', template);
  }, [template]);
  const { title } = form.values;
  const suggestion = expected && suggestTitle(expected);
  const suggested = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other commits are a reason to suggest another title.
  useEffect(() => {
    if (suggestion === undefined || title !== suggested.current) return;
    suggested.current = suggestion;
    form.set('title', suggestion);
  }, [suggestion]);
  return (
    <Form
      form={form}
      action="Open pull request"
      aside={
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      }
    >
      <SelectField label="Repository" {...form.field('repository')} value={chosen?.id ?? ''}>
        <option value="">{data ? 'Choose a repository' : 'Loading'}</option>
        {repositories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-2">
        <BranchField
          label="Head branch"
          hint="The branch with the changes."
          placeholder="feature"
          repositoryId={chosen?.id}
          field={form.field('head')}
        />
        <BranchField
          label="Base branch (optional)"
          hint="The branch to merge into."
          placeholder={chosen?.defaultBranch ?? ''}
          repositoryId={chosen?.id}
          field={form.field('base')}
        />
      </div>
      <TextField label="Title" autoComplete="off" {...form.field('title')} />
      <MarkdownField label="Description (optional)" {...form.field('description')} />
      {expected && <ExpectedReviewers expected={expected} isDraft={isDraft} />}
      <details className="rounded-lg border border-line px-3 py-2 open:pb-3">
        <summary className="cursor-pointer text-sm font-medium">
          Reviewers <span className="font-normal text-quiet">{describeChosen(reviewers)}</span>
        </summary>
        <div className="mt-3 grid gap-3">
          <ReviewerChoices
            chosen={reviewers}
            withTeams
            exceptIds={[user.id]}
            stateOf={(id) =>
              expected?.reviewers.some((reviewer) => reviewer.id === id) ? 'asked already' : undefined
            }
            onChange={setReviewers}
          />
        </div>
      </details>
      <Choice type="checkbox" name="draft" checked={isDraft} onChange={setIsDraft}>
        Draft: not ready for review yet
      </Choice>
    </Form>
  );
}

function describeChosen({ people, teams }: Chosen): string {
  const names = [...teams, ...people].map(({ name }) => name);
  return names.length === 0 ? '(optional)' : names.join(', ');
}
