/** The first steps of a new organization and a new user, with what is done already; the open page follows what arrives. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Time } from '../../components/time.tsx';
import { isAdmin } from '../../frame/navigation.ts';
import { agentName } from '../../parts/agents/agent-name.ts';
import { HowToConnect } from '../../parts/agents/how-to-connect.tsx';
import { PostPlanCommand } from '../../parts/plans/post-a-plan.tsx';
import type { FirstStep } from './first-steps.tsx';

type Plan = CallOutput<'list-plans'>['plans'][number];
type Agent = CallOutput<'get-first-steps'>['agent'];
type Shown = Omit<FirstStep, 'isSkipped'>;

/** How often the page asks for what is not there yet. */
const LIVE_MS = 3000;
const LINK = 'rounded font-medium text-accent underline';

export function useFirstSteps(plan: Plan | undefined) {
  const session = useSession();
  const admin = isAdmin(session);
  const own = useQuery({
    ...operationQuery('get-first-steps', {}),
    refetchInterval: ({ state }) => (state.data?.agent ? false : LIVE_MS),
  });
  const people = useQuery({
    ...operationQuery('list-members', { limit: 2 }),
    enabled: admin,
    refetchInterval: ({ state }) => ((state.data?.members.length ?? 0) > 1 ? false : LIVE_MS),
  });
  const repositories = useQuery({
    ...operationQuery('list-repositories', { limit: 1 }),
    refetchInterval: ({ state }) => ((state.data?.repositories.length ?? 0) > 0 ? false : LIVE_MS),
  });
  const pullRequests = useQuery({
    ...operationQuery('list-pull-requests', { state: 'all', limit: 1 }),
    refetchInterval: ({ state }) => ((state.data?.pullRequests.length ?? 0) > 0 ? false : LIVE_MS),
  });
  const hasRepository = (repositories.data?.repositories.length ?? 0) > 0;
  const isWriter = session.role !== 'viewer';
  const shown: Shown[] = [
    agentStep(own.data?.agent ?? null),
    ...(admin ? [repositoryStep(hasRepository)] : []),
    planStep(plan, own.data?.agent ?? null),
    ...(isWriter && (admin || hasRepository)
      ? [pullRequestStep((pullRequests.data?.pullRequests.length ?? 0) > 0, admin)]
      : []),
    ...(admin ? [teamStep((people.data?.members.length ?? 0) > 1)] : []),
    ...(isWriter && !plan ? [curlStep()] : []),
  ];
  const steps: FirstStep[] = shown.map((step) => ({
    ...step,
    isSkipped: own.data?.skipped.includes(step.id) ?? false,
  }));
  const queries = [own, repositories, pullRequests, ...(admin ? [people] : [])];
  return {
    isLoading: queries.some(({ isPending }) => isPending),
    isDone: steps.every(({ isDone, isSkipped }) => isDone || isSkipped),
    steps,
  };
}

function agentStep(agent: Agent): Shown {
  return {
    id: 'agent',
    title: 'Connect your coding agent',
    isDone: agent !== null,
    text: (
      <span role="status">
        {agent ? (
          <>
            Connected: <bdi>{agentName(agent.name)}</bdi>, <Time at={agent.connectedAt} />
          </>
        ) : (
          'It reads code here and posts plans for review. It can never approve one.'
        )}
      </span>
    ),
    how: (
      <>
        <HowToConnect address={`${location.origin}/mcp`} />
        <p className="flex items-center gap-2">
          <Spinner /> Waiting for your agent. This step is done as soon as it connects.
        </p>
      </>
    ),
    ...(agent && { link: () => <ButtonLink to="/settings/agents">Agents</ButtonLink> }),
  };
}

function repositoryStep(isDone: boolean): Shown {
  return {
    id: 'repository',
    title: 'Add a repository',
    isDone,
    text: 'People and agents can then read, search and review its code here.',
    link: (look) => (
      <ButtonLink to="/repositories" look={look}>
        {isDone ? 'Repositories' : 'Add repository'}
      </ButtonLink>
    ),
  };
}

function planStep(plan: Plan | undefined, agent: Agent): Shown {
  return {
    id: 'plan',
    title: 'Have your agent post a plan',
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
        Ask it: “Plan the change, and post the plan to Countersign before you write code.”
        {!agent && ' Connect it first.'}
      </>
    ),
    how: (
      <p role="status" className="flex items-center gap-2">
        <Spinner /> Waiting for your first plan. It appears here when it arrives.
      </p>
    ),
  };
}

function pullRequestStep(isDone: boolean, admin: boolean): Shown {
  return {
    id: 'pull_request',
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

function teamStep(isDone: boolean): Shown {
  return {
    id: 'team',
    title: 'Invite your team',
    isDone,
    text: 'Invite many people at once, each with their own link.',
    link: (look) => (
      <ButtonLink to="/settings/people" look={look}>
        People
      </ButtonLink>
    ),
  };
}

/** Last, for those who have no agent at hand. It goes once there is a plan, whoever posted it. */
function curlStep(): Shown {
  return {
    id: 'curl',
    title: 'Without an agent: post a plan with curl',
    isDone: false,
    text: (
      <>
        With an API key in place of <code className="font-mono text-xs">csk_…</code>. CI and scripts work the
        same way.
      </>
    ),
    how: <PostPlanCommand label="In a terminal" apiKey="csk_…" />,
    link: () => <ButtonLink to="/settings/api-keys">Create API key</ButtonLink>,
  };
}
