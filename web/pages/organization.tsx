/** Settings → Organization: settings for everyone in the organization. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useOptimistic, useSession } from '../api/queries.ts';
import { Card, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';

type Switch = CallOutput<'list-switches'>['switches'][number];

/** The name of each setting, and what to know before changing it. */
const WORDS: Record<Switch['key'], { name: string; more: string }> = {
  review_draft_pull_requests: {
    name: 'Review drafts',
    more: 'When off, a draft is reviewed as soon as it’s marked ready for review.',
  },
  review_on_every_push: {
    name: 'Review every push',
    more: 'When off, only the first commits are reviewed; later ones when someone requests it.',
  },
  review_only_on_request: {
    name: 'Review only on request',
    more: 'When on, no review starts by itself.',
  },
  re_review_after_resolution: {
    name: 'Review again after resolution',
    more: 'The same commits are reviewed again, so that nothing that was resolved too early is missed.',
  },
  auto_resolve_addressed: {
    name: 'Resolve addressed discussions',
    more: 'As soon as a later commit addresses a review discussion, it is resolved, on the code host too. If a later commit reverts the change, the discussion is reopened.',
  },
  auto_approve_clean: {
    name: 'Approve clean pull requests',
    more: 'A pull request that changes a file that wasn’t looked at is never approved.',
  },
  generate_description: {
    name: 'Write descriptions',
    more: 'A description is written when the author left it empty.',
  },
  planner: {
    name: 'Plans',
    more: 'When off, agents get an error when they post a plan. Existing plans can still be read and reviewed.',
  },
  self_approval: {
    name: 'Self-approval',
    more: 'When off, neither the person who created a plan nor the author of the version can approve it, except in an organization with only one active member. Changing this setting doesn’t affect existing approvals.',
  },
};

export function OrganizationPage() {
  const { organization } = useSession();
  const { data, error, refetch } = useQuery(operationQuery('list-switches', {}));
  return (
    <Page title="Organization" lead={`Settings for everyone in ${organization.name}.`}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={1} />}
      <div className="grid gap-3">
        {data?.switches.map((each) => (
          <SwitchCard key={each.key} each={each} />
        ))}
      </div>
    </Page>
  );
}

function SwitchCard({ each: { enabled, key, meaning, updatedAt } }: { each: Switch }) {
  const id = useId();
  const toast = useToast();
  const { more, name } = WORDS[key];
  const change = useOptimistic({
    operation: 'change-switch',
    list: 'list-switches',
    expect: (before, wanted) => ({
      switches: before.switches.map((each) =>
        each.key === wanted.key ? { ...each, enabled: wanted.enabled ?? each.enabled } : each,
      ),
    }),
  });
  return (
    <Card className="flex items-start justify-between gap-5">
      <div className="grid gap-1">
        <h2 id={`${id}-name`} className="font-semibold">
          {name}
        </h2>
        <p id={`${id}-meaning`} className="text-sm">
          {meaning}
        </p>
        <p className="text-sm text-pretty text-quiet">{more}</p>
        {updatedAt && (
          <p className="mt-1 text-[0.8125rem] text-quiet">
            Last changed <Time at={updatedAt} />
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={enabled}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-meaning`}
        disabled={change.isPending}
        onClick={() =>
          change.mutate(
            { key, enabled: !enabled },
            {
              onSuccess: () => toast(`${name} turned ${enabled ? 'off' : 'on'}`),
              onError: (error) => toast(error.message, 'danger'),
            },
          )
        }
        className="relative mt-0.5 h-6 w-11 shrink-0 rounded-full border border-strong-line bg-strong-line transition-colors aria-checked:border-accent aria-checked:bg-accent"
      >
        <span
          aria-hidden="true"
          className={`absolute top-0.5 left-0.5 size-[1.125rem] rounded-full bg-page shadow-sm transition-transform ${enabled ? 'translate-x-5' : ''}`}
        />
      </button>
    </Card>
  );
}
