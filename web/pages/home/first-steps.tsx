/** The first steps of a new organization and a new user; finished ones are checked. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { isAdmin } from '../../frame/navigation.ts';
import { PostPlanCommand } from '../../parts/plans/post-a-plan.tsx';

type Plan = CallOutput<'list-plans'>['plans'][number];

interface FirstStep {
  title: string;
  isDone: boolean;
  text: ReactNode;
  /** A link to where it is done; the first step that is left has the primary one. */
  link?(look: 'primary' | 'plain'): ReactNode;
}

const LINK = 'rounded font-medium text-accent underline';

export function useFirstSteps(plan: Plan | undefined): {
  isLoading: boolean;
  isDone: boolean;
  shown: ReactNode;
} {
  const session = useSession();
  const admin = isAdmin(session);
  const keys = useQuery(operationQuery('list-api-keys', {}));
  const people = useQuery({ ...operationQuery('list-members', { limit: 2 }), enabled: admin });
  const repositories = useQuery(operationQuery('list-repositories', { limit: 1 }));
  const pullRequests = useQuery(operationQuery('list-pull-requests', { state: 'all', limit: 1 }));
  const hasRepository = (repositories.data?.repositories.length ?? 0) > 0;
  const steps = [
    ...(admin ? [repositoryStep(hasRepository)] : []),
    ...(session.role !== 'viewer' && (admin || hasRepository)
      ? [pullRequestStep((pullRequests.data?.pullRequests.length ?? 0) > 0, admin)]
      : []),
    keyStep(keys.data?.keys.some((key) => key.revokedAt === null) ?? false),
    planStep(plan),
    ...(admin ? [teamStep((people.data?.members.length ?? 0) > 1)] : []),
  ];
  const next = steps.find(({ isDone, link }) => !isDone && link);
  return {
    isLoading: [keys, repositories, pullRequests, ...(admin ? [people] : [])].some(
      ({ isPending }) => isPending,
    ),
    isDone: steps.every(({ isDone }) => isDone),
    shown: steps.map((step) => <Step key={step.title} step={step} isNext={step === next} />),
  };
}

function repositoryStep(isDone: boolean): FirstStep {
  return {
    title: 'Add a repository',
    isDone,
    text: 'Its code can then be read, searched and reviewed here.',
    link: (look) => (
      <ButtonLink to="/repositories" look={look}>
        {isDone ? 'Repositories' : 'Add repository'}
      </ButtonLink>
    ),
  };
}

function pullRequestStep(isDone: boolean, admin: boolean): FirstStep {
  return {
    title: 'Open a pull request',
    isDone,
    text: (
      <>
        Choose two branches of a repository
        {admin && (
          <>
            , or{' '}
            <Link to="/settings/code-hosts" className={LINK}>
              connect a code host
            </Link>{' '}
            to review the pull requests you have there
          </>
        )}
        .
      </>
    ),
    link: (look) => (
      <ButtonLink to="/pull-requests" look={look}>
        {isDone ? 'Pull requests' : 'Open pull request'}
      </ButtonLink>
    ),
  };
}

function keyStep(isDone: boolean): FirstStep {
  return {
    title: 'Create an API key',
    isDone,
    text: 'Agents, CI and scripts use it to act on your behalf.',
    link: (look) => (
      <ButtonLink to="/settings/api-keys" look={look}>
        {isDone ? 'Manage keys' : 'Create API key'}
      </ButtonLink>
    ),
  };
}

function planStep(plan: Plan | undefined): FirstStep {
  return {
    title: 'Post your first plan',
    isDone: plan !== undefined,
    text: plan ? (
      <>
        Posted:{' '}
        <Link to="/plans/$seriesId" params={{ seriesId: plan.seriesId }} className={LINK}>
          {plan.title}
        </Link>
      </>
    ) : (
      <>
        Run this in a terminal, with your key in place of <code className="font-mono text-xs">csk_…</code>.
        Agents do the same over MCP.
        <div className="mt-3 grid gap-3">
          <PostPlanCommand label="In a terminal" apiKey="csk_…" />
          <p role="status" className="flex items-center gap-2">
            <Spinner /> Waiting for your first plan. It appears here when it arrives.
          </p>
        </div>
      </>
    ),
  };
}

function teamStep(isDone: boolean): FirstStep {
  return {
    title: 'Invite your team',
    isDone,
    text: 'Create an invitation link for each person and share it.',
    link: (look) => (
      <ButtonLink to="/settings/people" look={look}>
        People
      </ButtonLink>
    ),
  };
}

function Step({ step, isNext }: { step: FirstStep; isNext: boolean }) {
  const { isDone, link, text, title } = step;
  return (
    <li className="rounded-xl border border-line bg-raised p-5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-3">
        {isDone ? (
          <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-label="Done" />
        ) : (
          <CircleDashed className="mt-0.5 size-5 shrink-0 text-quiet" aria-label="To do" />
        )}
        <div className="min-w-0 flex-1 basis-[calc(100%-3rem)] sm:basis-56">
          <h3 className="font-semibold">{title}</h3>
          <div className="text-sm text-quiet">{text}</div>
        </div>
        {link && <div className="ml-8 grid min-w-36 sm:ml-0">{link(isNext ? 'primary' : 'plain')}</div>}
      </div>
    </li>
  );
}
