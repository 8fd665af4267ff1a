/** The empty state of the list of plans: what a plan is, and the request that posts the first one. */
import { useSession } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { CommandLine } from '../../components/copy.tsx';

export function PostAPlan() {
  const { user } = useSession();
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
      <CommandLine label="Post a plan yourself" text={postPlanCommand(location.origin, 'csk_…', user.id)} />
      <div className="flex flex-wrap items-center gap-3 text-sm text-quiet">
        <ButtonLink to="/settings/api-keys">Your API keys</ButtonLink>
        Use your key in place of csk_….
      </div>
    </div>
  );
}

/** The first request of a new user. The series key is per user: two people who try it get two plans. */
export function postPlanCommand(origin: string, key: string, seriesKey: string): string {
  return `curl -i ${origin}/api/v2/plans \\
  -H 'x-api-key: ${key}' \\
  -H 'content-type: application/json' \\
  -d '{"seriesKey": "${seriesKey}", "agentVendor": "claude-code",
       "repoNames": ["acme/web-shop"],
       "content": "# Cache the product list\\n\\n## Why\\nEvery page queries the database for it.\\n\\n## Steps\\n- [ ] Cache the list for one minute\\n- [ ] Clear it when a product changes"}'`;
}
