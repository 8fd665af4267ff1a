/** The empty state of the list of plans: what a plan is, and the request that posts the first one. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery, useSession } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CommandLine } from '../../components/copy.tsx';

export function PostAPlan() {
  return (
    <div className="grid gap-5 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-2">
        <h2 className="font-semibold">No plans yet</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">
          A coding agent posts its plan here before it writes code. You read it, comment on it, request
          changes or approve it. Another post with the same{' '}
          <code className="font-mono text-xs">seriesKey</code> adds a version.
        </p>
      </div>
      <PostPlanCommand label="Post a plan yourself" apiKey="csk_…" />
      <div className="flex flex-wrap items-center gap-3 text-sm text-quiet">
        <ButtonLink to="/settings/api-keys">Your API keys</ButtonLink>
        Use your key in place of csk_….
      </div>
    </div>
  );
}

/**
 * The first request of a new user, about one of their repositories if there are any. The series key is per user: two people who
 * try it get two plans.
 */
export function PostPlanCommand({ apiKey, label }: { apiKey: string; label: string }) {
  const { user } = useSession();
  const { data } = useQuery({ ...operationQuery('list-repositories', { limit: 1 }), staleTime: 60_000 });
  const repository = data?.repositories[0]?.name ?? 'acme/web-shop';
  const command = `curl -i ${location.origin}/api/v2/plans \\
  -H 'x-api-key: ${apiKey}' \\
  -H 'content-type: application/json' \\
  -d '{"seriesKey": "${user.id}", "agentVendor": "claude-code",
       "repoNames": ["${repository}"],
       "content": "# Cache the product list\\n\\n## Why\\nEvery page queries the database for it.\\n\\n## Steps\\n- [ ] Cache the list for one minute\\n- [ ] Clear it when a product changes"}'`;
  return <CommandLine label={label} text={command} />;
}
