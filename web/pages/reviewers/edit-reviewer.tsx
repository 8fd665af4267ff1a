/** Creating a custom reviewer, and editing one: each save of an edit is a new version. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { linesOf } from '../../components/line-list.ts';
import { ErrorState, LoadingRows, Page } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { RulePreview } from './rule-preview.tsx';
import { type KnownRepository, type ScopeDraft, ScopesField } from './scopes-field.tsx';

type Detail = CallOutput<'get-reviewer'>;

/** As many as the service lists at once. */
const MAX_REPOSITORIES = 200;
const EXAMPLE_RULE = `id: no-console
language: TypeScript
rule:
  pattern: console.log($$$ARGS)
`;

export function NewReviewerPage() {
  return (
    <Page title="Create reviewer" lead="Instructions are read by a model or an agent; rules run without one.">
      <Editor />
    </Page>
  );
}

export function EditReviewerPage() {
  const { reviewerId } = useParams({ from: '/signed-in/reviewers/$reviewerId/edit' });
  const { data, error, refetch } = useQuery(operationQuery('get-reviewer', { reviewerId }));
  return (
    <Page
      title={data ? `Edit ${data.title}` : 'Edit reviewer'}
      lead={data && `Saving creates version ${data.newestVersion + 1}.`}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data && <Editor reviewer={data} />}
    </Page>
  );
}

function Editor({ reviewer }: { reviewer?: Detail }) {
  const { data, error } = useQuery(operationQuery('list-repositories', { limit: MAX_REPOSITORIES }));
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <LoadingRows />;
  return <ReviewerForm reviewer={reviewer} repositories={withNamed(data.repositories, reviewer)} />;
}

/** Repositories that its scopes name stay selectable, also beyond the first page. */
function withNamed(listed: KnownRepository[], reviewer: Detail | undefined): KnownRepository[] {
  const named = (reviewer?.scopes ?? []).flatMap(({ repoId, repoName }) =>
    repoId !== null && repoName !== null && !listed.some(({ id }) => id === repoId)
      ? [{ id: repoId, name: repoName }]
      : [],
  );
  return [...listed, ...named];
}

function ReviewerForm({ repositories, reviewer }: { repositories: KnownRepository[]; reviewer?: Detail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [scopes, setScopes] = useState(() => draftsOf(reviewer));
  const form = useForm(
    {
      title: reviewer?.title ?? '',
      description: reviewer?.description ?? '',
      kind: reviewer?.kind ?? 'instructions',
      body: reviewer?.body ?? '',
      activate: 'yes',
    },
    async ({ activate, body, description, kind, title }) => {
      const content = {
        title,
        description,
        body,
        kind: kind === 'rules' ? ('rules' as const) : ('instructions' as const),
        scopes: scopes.map(({ paths, repoId }) => ({ repoId: repoId || undefined, paths: linesOf(paths) })),
      };
      const saved = reviewer
        ? await call('add-reviewer-version', {
            reviewerId: reviewer.id,
            baseVersion: reviewer.newestVersion,
            activate: activate === 'yes',
            ...content,
          })
        : await call('create-reviewer', content);
      client.setQueryData(['get-reviewer', { reviewerId: saved.id }], saved);
      for (const name of ['list-reviewers', 'list-reviewer-versions'])
        void client.invalidateQueries({ queryKey: [name] });
      toast(reviewer ? `Version ${saved.newestVersion} saved` : 'Reviewer created');
      await navigate({ to: '/reviewers/$reviewerId', params: { reviewerId: saved.id } });
    },
  );
  const fields = form.problem instanceof ApiProblem ? form.problem.fields : [];
  const scopeErrors = fields.filter(({ path }) => path.startsWith('scopes'));
  const errorOf = (index: number) =>
    scopeErrors
      .filter(({ path }) => path.startsWith(`scopes[${index}]`))
      .map(({ message, path }) =>
        path.endsWith('repoId') ? `This repository ${message}.` : `A path ${message}.`,
      )
      .join(' ') || undefined;
  const isRules = form.values.kind === 'rules';
  return (
    <Form
      form={form}
      action={reviewer ? 'Save version' : 'Create reviewer'}
      aside={<ButtonLink to="/reviewers">Cancel</ButtonLink>}
    >
      <TextField label="Title" autoComplete="off" {...form.field('title')} />
      <TextField
        label="Description"
        hint="What it finds, in one sentence."
        autoComplete="off"
        {...form.field('description')}
      />
      <SelectField label="Kind" {...form.field('kind')}>
        <option value="instructions">Instructions (Markdown)</option>
        <option value="rules">Rules (ast-grep, YAML)</option>
      </SelectField>
      <TextAreaField
        label={isRules ? 'Rules' : 'Instructions'}
        hint={
          isRules
            ? 'One or more rules, separated by a line with three dashes.'
            : 'Say what to look for, what to ignore, and give an example.'
        }
        placeholder={isRules ? EXAMPLE_RULE : undefined}
        rows={10}
        mono={isRules}
        spellCheck={!isRules}
        {...form.field('body')}
      />
      {isRules && (
        <RulePreview
          rules={form.values.body}
          paths={scopes.length === 1 ? linesOf(scopes[0]!.paths) : []}
          repositories={repositories}
        />
      )}
      {reviewer && (
        <SelectField label="After saving" {...form.field('activate')}>
          <option value="yes">Activate this version</option>
          <option value="no">Keep version {reviewer.activeVersion} active, to try this one first</option>
        </SelectField>
      )}
      <ScopesField scopes={scopes} repositories={repositories} errorOf={errorOf} onChange={setScopes} />
    </Form>
  );
}

function draftsOf(reviewer: Detail | undefined): ScopeDraft[] {
  const scopes = reviewer?.scopes ?? [];
  if (scopes.length === 0) return [{ key: 0, repoId: '', paths: '' }];
  return scopes.map(({ paths, repoId }, key) => ({ key, repoId: repoId ?? '', paths: paths.join('\n') }));
}
