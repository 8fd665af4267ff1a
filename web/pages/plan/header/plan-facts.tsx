/** What one should know before reading: who wrote it with what, for which code, and where its review stands. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bot, GitBranch, GitPullRequest, Layers } from 'lucide-react';
import { useState } from 'react';
import { Time } from '../../../components/time.tsx';
import { overlapQuery, type Plan } from '../plan-data.ts';
import { sayTokens } from '../say.ts';
import { Fact, ICON, TextButton } from './fact.tsx';
import { LinkPullRequest } from './link-pull-request.tsx';
import { ReviewState } from './review-state.tsx';

export function PlanFacts({ plan, version }: { plan: Plan; version: number }) {
  const shown = plan.versions.find((each) => each.version === version);
  const [isLinking, setIsLinking] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-2 text-[0.8125rem] text-quiet">
      {shown && (
        <Fact icon={<Bot className={ICON} />}>
          <span className="font-medium text-text">{shown.agentVendor}</span>
          {shown.modelId && <span className="wrap-anywhere">{shown.modelId}</span>}
          {shown.tokensUsed && <span>{sayTokens(shown.tokensUsed)}</span>}
          <span className="wrap-anywhere">
            v{shown.version} by <span className="text-text">{shown.author.name}</span>{' '}
            <Time at={shown.createdAt} />
          </span>
          {shown.version > 1 && plan.createdBy.id !== shown.author.id && (
            <span className="wrap-anywhere">begun by {plan.createdBy.name}</span>
          )}
        </Fact>
      )}
      <Fact icon={<GitBranch className={ICON} />}>
        {plan.freshness.length === 0 && <span>No repository named</span>}
        {plan.freshness.map((repository) => (
          <Repository key={repository.repoName} repository={repository} />
        ))}
        <Overlap seriesId={plan.seriesId} />
      </Fact>
      <Fact icon={<GitPullRequest className={ICON} />}>
        {plan.pullRequests.map((link) => (
          <PullRequest key={`${link.repoName}#${link.prNumber}`} link={link} />
        ))}
        {plan.actions.includes('comment') ? (
          <TextButton onClick={() => setIsLinking(true)}>Link a pull request</TextButton>
        ) : (
          plan.pullRequests.length === 0 && <span>No pull request yet</span>
        )}
      </Fact>
      <ReviewState plan={plan} />
      <LinkPullRequest plan={plan} open={isLinking} onClose={() => setIsLinking(false)} />
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
            ? `${changedFiles.length} of its files changed since`
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
    <a href={link.url} className="rounded wrap-anywhere text-accent hover:underline">
      {name}
    </a>
  );
}

/** Others that are about to change the same files: worth knowing before this one is approved. */
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
      {count === 1 ? 'Another plan names the same files' : `${count} other plans name the same files`}
    </Link>
  );
}
