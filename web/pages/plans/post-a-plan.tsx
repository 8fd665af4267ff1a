/** No plans yet: what a plan is, and the request with which an agent or a person posts the first. */
import { ButtonLink } from '../../components/button.tsx';
import { CommandLine } from '../../components/copy.tsx';

export function PostAPlan() {
  return (
    <div className="grid gap-5 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-2">
        <h2 className="font-semibold">No plans yet</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">
          A coding agent posts its plan here before it writes code. You read it, comment on a sentence, ask
          for changes or approve; each further post with the same{' '}
          <code className="font-mono text-xs">seriesKey</code> is the plan’s next version.
        </p>
      </div>
      <CommandLine label="Post one yourself" text={postLine(location.origin, 'csk_…')} />
      <div className="flex flex-wrap items-center gap-3 text-sm text-quiet">
        <ButtonLink to="/settings/api-keys">Your API keys</ButtonLink>
        Put your key where it says csk_…; a reply of 201 means that the plan is here.
      </div>
    </div>
  );
}

export function postLine(origin: string, key: string): string {
  return `curl -i ${origin}/api/v2/plans \\
  -H 'x-api-key: ${key}' \\
  -H 'content-type: application/json' \\
  -d '{"seriesKey": "0198c1f2-7a3b-7c4d-8e5f-0123456789ab", "agentVendor": "claude-code",
       "repoNames": ["acme/web-shop"],
       "content": "# Cache the product list\\n\\n## Why\\nEvery page asks the database for it.\\n\\n## Steps\\n- [ ] Keep it for a minute"}'`;
}
