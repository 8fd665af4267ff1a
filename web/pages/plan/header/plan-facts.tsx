/** The two lines above a plan: who wrote it with which agent, for which code, and its review. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bot, GitBranch, GitPullRequest, Layers, User } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Time } from '../../../components/time.tsx';
import { agentName, isPerson } from '../../../parts/plans/agent-names.ts';
import { formatCount, formatTokens } from '../format.ts';
import { overlapQuery, type Plan } from '../plan-data.ts';
import { Fact, FactLine, TextButton } from './fact.tsx';
import { ReviewNotes, ReviewState } from './review-state.tsx';

export function PlanFacts({ plan, version }: { plan: Plan; version: number }) {
  const shown = plan.versions.find((each) => each.version === version);
  const [hasDetails, setHasDetails] = useState(false);
  const isBegunByOther = shown && shown.version > 1 && plan.createdBy.id !== shown.author.id;
  const isDetailed = shown && (shown.modelId || shown.tokensUsed || isBegunByOther);
  return (
    <div className="grid grid-cols-1 gap-1.5 text-[0.8125rem] text-quiet">
      <FactLine>
        {shown && (
          <Fact icon={isPerson(shown.agentVendor) ? <User /> : <Bot />}>
            {!isPerson(shown.agentVendor) && (
              <span className="font-medium text-text">{agentName(shown.agentVendor)}</span>
            )}
            <span className="wrap-anywhere">
              v{shown.version} by <span className="text-text">{shown.author.name}</span>{' '}
              <Time at={shown.createdAt} />
            </span>
            {isDetailed && (
              <TextButton aria-expanded={hasDetails} onClick={() => setHasDetails(!hasDetails)}>
                {hasDetails ? 'Hide details' : 'Details'}
              </TextButton>
            )}
          </Fact>
        )}
        <Fact icon={<GitBranch />}>
          {plan.freshness.length === 0 && <span>No repository</span>}
          {plan.freshness.map((repository, index) => (
            <Fragment key={repository.repoName}>
              {index > 0 && <span aria-hidden="true">·</span>}
              <Repository repository={repository} />
            </Fragment>
          ))}
          <Overlap seriesId={plan.seriesId} />
        </Fact>
      </FactLine>
      {shown && hasDetails && (
        <p className="flex flex-wrap gap-x-4 pl-6 wrap-anywhere">
          {shown.modelId && <span>Model: {shown.modelId}</span>}
          {shown.tokensUsed && <span>{formatTokens(shown.tokensUsed)}</span>}
          {isBegunByOther && <span>First version by {plan.createdBy.name}</span>}
        </p>
      )}
      <FactLine>
        <ReviewState plan={plan} />
        {plan.pullRequests.length > 0 && (
          <Fact icon={<GitPullRequest />}>
            {plan.pullRequests.map((link) => (
              <PullRequest key={`${link.repoName}#${link.prNumber}`} link={link} />
            ))}
          </Fact>
        )}
      </FactLine>
      <ReviewNotes plan={plan} />
    </div>
  );
}

function Repository({ repository }: { repository: Plan['freshness'][number] }) {
  const { changedFiles, headThen, repoName, state } = repository;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <code className="font-mono text-xs wrap-anywhere text-text">{repoName}</code>
      {state === 'current' && <span className="text-good">up to date</span>}
      {state === 'behind' && (
        <span className="text-warn" title={`Written at ${headThen?.slice(0, 10)}`}>
          {changedFiles && changedFiles.length > 0
            ? `${formatCount(changedFiles.length, 'named file')} changed since`
            : 'has newer commits'}
        </span>
      )}
    </span>
  );
}

function PullRequest({ link }: { link: Plan['pullRequests'][number] }) {
  const name = `${link.repoName ?? ''}#${link.prNumber}`;
  if (!link.url) return <span className="wrap-anywhere text-text">{name}</span>;
  return (
    <span className="wrap-anywhere">
      <a href={link.url} className="rounded text-accent hover:underline">
        {name}
      </a>
      {link.title !== null && ` ${link.title} (${link.state})`}
    </span>
  );
}

/** Other open plans for the same files, which reviewers should know about before they approve this one. */
function Overlap({ seriesId }: { seriesId: string }) {
  const { data } = useQuery(overlapQuery(seriesId));
  const count = data?.plans.filter(({ sharedFileCount }) => sharedFileCount > 0).length ?? 0;
  if (count === 0) return null;
  return (
    <Link
      to="/plans/$seriesId"
      params={{ seriesId }}
      search={{ view: 'activity' }}
      hash="overlap"
      className="inline-flex items-center gap-1.5 rounded text-warn hover:underline"
    >
      <Layers className="size-3.5" aria-hidden="true" />
      {count === 1 ? '1 other plan for the same files' : `${count} other plans for the same files`}
    </Link>
  );
}
