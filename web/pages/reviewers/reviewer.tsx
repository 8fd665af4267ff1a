/** One reviewer: what it looks for, where it applies, what it opened, and its versions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Card, ErrorState, LoadingRows, Page, Section } from '../../components/page.tsx';
import { asLabel, TextWithCode } from '../../components/text-with-code.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { isAdmin } from '../../frame/navigation.ts';
import { MarkdownText } from '../../markdown/index.ts';
import { withMarks } from '../../parts/code/marked-text.tsx';
import { StatusBadge } from '../../parts/pull-request/threads/discussion-status.tsx';
import { Trials } from '../../parts/reviewers/trials.tsx';
import { ReviewFigures } from './review-figures.tsx';
import { Versions } from './versions.tsx';

export type ReviewerDetail = CallOutput<'get-reviewer'>;

export function ReviewerPage() {
  const { reviewerId } = useParams({ from: '/signed-in/reviewers/$reviewerId' });
  const { data, error, refetch } = useQuery(operationQuery('get-reviewer', { reviewerId }));
  if (data) return <Reviewer reviewer={data} />;
  return (
    <Page title="Reviewer">
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows />}
    </Page>
  );
}

function Reviewer({ reviewer }: { reviewer: ReviewerDetail }) {
  const { builtIn, id, title } = reviewer;
  return (
    <Page
      title={title}
      lead={reviewer.description || undefined}
      actions={
        reviewer.canEdit && (
          <ButtonLink to="/reviewers/$reviewerId/edit" params={{ reviewerId: id }}>
            Edit
          </ButtonLink>
        )
      }
    >
      <OnOff reviewer={reviewer} />
      {builtIn && (
        <Section title="What it looks at">
          <Card className="grid gap-3 text-sm text-pretty">
            <p>{builtIn.looksAt}</p>
            <p className="text-quiet">
              {builtIn.withoutModel === null
                ? 'It needs a model or an agent.'
                : `Without a model: ${builtIn.withoutModel}`}
            </p>
          </Card>
        </Section>
      )}
      {reviewer.body !== null && <Content kind={reviewer.kind!} body={reviewer.body} />}
      <OptionalChecks reviewer={reviewer} />
      <Scopes scopes={reviewer.scopes} />
      <Section title="What it found">
        <ReviewFigures reviewerId={id} />
      </Section>
      <Discussions discussions={reviewer.discussions} />
      {reviewer.kind !== 'instructions' && (
        <Section
          title="Trials"
          lead="Runs the reviewer on up to 100 recent pull requests and compares its findings with those of past reviews. Nothing is posted."
        >
          <Trials
            of={{ reviewerId: id }}
            start={{ reviewerId: id, version: reviewer.newestVersion }}
            action={
              reviewer.newestVersion > 1
                ? `Try version ${reviewer.newestVersion} on past pull requests`
                : 'Try on past pull requests'
            }
            mayStart={reviewer.canSwitch}
          />
        </Section>
      )}
      {!builtIn && <Versions reviewer={reviewer} />}
      {reviewer.canEdit && <Delete reviewer={reviewer} />}
    </Page>
  );
}

function OnOff({
  reviewer: { builtIn, canSwitch, createdBy, enabled, id, needsModel, title, updatedAt },
}: {
  reviewer: ReviewerDetail;
}) {
  const mayConfigure = isAdmin(useSession());
  const client = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (on: boolean) => call('change-reviewer', { reviewerId: id, enabled: on }),
    onSuccess(changed) {
      client.setQueryData(['get-reviewer', { reviewerId: id }], changed);
      void client.invalidateQueries({ queryKey: ['list-reviewers'] });
      toast(`${title} turned ${changed.enabled ? 'on' : 'off'}`);
    },
    onError: (error) => toast(error.message, 'danger'),
  });
  return (
    <Card className="mb-10 flex items-center justify-between gap-4">
      <div className="min-w-0 text-sm wrap-anywhere">
        <p className="font-medium">{enabled ? (needsModel ? 'On, but it needs a model' : 'On') : 'Off'}</p>
        {needsModel && (
          <p className="text-quiet">
            Reviews find nothing with it until{' '}
            {mayConfigure ? (
              <Link to="/settings/model" className="text-accent underline underline-offset-2">
                a model is set up
              </Link>
            ) : (
              'an admin sets up a model'
            )}
            . Agents can use it in their own reviews.
          </p>
        )}
        {!builtIn && (
          <p className="text-quiet">
            Last changed <Time at={updatedAt} />
            {createdBy && `, created by ${createdBy.name}`}
          </p>
        )}
      </div>
      <Toggle
        on={enabled}
        label={`${title} is on`}
        disabled={!canSwitch || change.isPending}
        onChange={(on) => change.mutate(on)}
      />
    </Card>
  );
}

/** Checks that are off by default. */
function OptionalChecks({ reviewer }: { reviewer: ReviewerDetail }) {
  const client = useQueryClient();
  const toast = useToast();
  const checks = reviewer.builtIn?.optionalChecks ?? [];
  const change = useMutation({
    mutationFn: (switchedOn: string[]) => call('change-reviewer', { reviewerId: reviewer.id, switchedOn }),
    onSuccess: (changed) => client.setQueryData(['get-reviewer', { reviewerId: reviewer.id }], changed),
    onError: (error) => toast(error.message, 'danger'),
  });
  if (checks.length === 0) return null;
  const on = checks.filter(({ isOn }) => isOn).map(({ name }) => name);
  return (
    <Section
      title="Optional checks"
      lead="These have more false positives than other checks, or mostly find what was intended, so they are off by default."
    >
      <ul className="grid gap-3 text-sm">
        {checks.map(({ isOn, looksFor, name }) => (
          <li key={name} className="flex items-center justify-between gap-4">
            <span className="min-w-0">
              <span className="block">{asLabel(looksFor)}</span>
              <span className="font-mono text-xs wrap-anywhere text-quiet">{name}</span>
            </span>
            <Toggle
              on={isOn}
              label={`Look for ${looksFor.replaceAll('`', '')}`}
              disabled={!reviewer.canSwitch || change.isPending}
              onChange={(wanted) =>
                change.mutate(wanted ? [...on, name] : on.filter((each) => each !== name))
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Content({ body, kind }: { body: string; kind: 'instructions' | 'rules' }) {
  return (
    <Section title={kind === 'rules' ? 'Rules' : 'Instructions'}>
      {kind === 'instructions' && (
        <p className="text-sm text-quiet">
          Agents that review over MCP read them. The service’s own reviews use them only with a{' '}
          <Link to="/settings/model" className="text-accent underline underline-offset-2">
            model
          </Link>
          .
        </p>
      )}
      <Card className="min-w-0">
        {kind === 'rules' ? (
          <pre className="font-mono text-xs wrap-anywhere whitespace-pre-wrap">{body}</pre>
        ) : (
          <MarkdownText content={body} />
        )}
      </Card>
    </Section>
  );
}

function Scopes({ scopes }: { scopes: ReviewerDetail['scopes'] }) {
  return (
    <Section title="Applies to">
      <ul className="grid gap-2 text-sm">
        {scopes.length === 0 && <li className="text-quiet">No repository that you can see.</li>}
        {scopes.map(({ paths, repoId, repoName }) => (
          <li key={repoId ?? ''} className="wrap-anywhere">
            <span className="font-medium">{repoName ?? 'All repositories'}</span>
            {paths.length === 0 ? (
              <span className="text-quiet">, all paths</span>
            ) : (
              <span className="ml-2 font-mono text-xs text-quiet">{paths.join('  ')}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Discussions({ discussions }: { discussions: ReviewerDetail['discussions'] }) {
  return (
    <Section title="Latest discussions">
      {discussions.length === 0 && <p className="text-sm text-quiet">It hasn’t opened any discussion yet.</p>}
      <ul className="grid gap-3 text-sm">
        {discussions.map(({ createdAt, file, id, isDismissed, prNumber, startLine, ...discussion }) => (
          <li key={id} className="grid gap-1">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Link
                to="/pull-requests/$pullRequestId"
                params={{ pullRequestId: discussion.pullRequestId }}
                search={{ view: 'files', discussion: id }}
                className="rounded font-medium wrap-anywhere hover:underline"
              >
                {discussion.title === null ? (
                  'Discussion'
                ) : (
                  <TextWithCode text={discussion.title} show={withMarks} />
                )}
              </Link>
              <StatusBadge status={discussion.status} isDismissed={isDismissed} />
            </div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-quiet">
              <span className="font-mono text-xs wrap-anywhere">
                {file}
                {startLine > 0 && `:${startLine}`}
              </span>
              <span className="wrap-anywhere">
                {discussion.repoName}#{prNumber}
              </span>
              <Time at={createdAt} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Delete({ reviewer: { id, title } }: { reviewer: ReviewerDetail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call('delete-reviewer', { reviewerId: id }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['list-reviewers'] });
      await navigate({ to: '/reviewers' });
    },
  });
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line pt-5">
      <Link to="/reviewers" className="text-sm text-quiet hover:underline">
        All reviewers
      </Link>
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete reviewer
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Delete ${title}?`}
        description="The discussions that it opened stay. This can’t be undone."
        action="Delete reviewer"
        busy={remove.isPending}
        problem={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
