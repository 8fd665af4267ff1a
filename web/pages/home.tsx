/** The start: what to do next, with what is done already ticked off. */
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { operationQuery, useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { CommandLine } from '../components/copy.tsx';
import { Page } from '../components/page.tsx';

export function HomePage() {
  const session = useSession();
  const admin = session.role === 'admin' || session.role === 'owner';
  const keys = useQuery(operationQuery('list-api-keys', {}));
  const active = keys.data?.keys.filter((key) => key.revokedAt === null) ?? [];
  const people = useQuery({ ...operationQuery('list-members', { limit: 2 }), enabled: admin });
  const used = active.some((key) => key.lastUsedAt !== null);
  return (
    <Page
      title={`Welcome, ${session.user.name}`}
      lead={`Next steps for you in ${session.organization.name}.`}
    >
      <ol className="grid gap-3">
        <Step
          done={active.length > 0}
          title="Make an API key"
          action={
            <ButtonLink to="/settings/api-keys" look={active.length > 0 ? 'plain' : 'primary'}>
              {active.length > 0 ? 'Your keys' : 'Make a key'}
            </ButtonLink>
          }
        >
          Scripts, CI and agents call the service with a key that acts as you.
        </Step>
        <Step done={used} title="Send a first request">
          Put your key where it says <code className="font-mono text-xs">csk_…</code>; a reply of 204 means
          that it is stored.
          <div className="mt-3">
            <CommandLine label="In a terminal" text={curlLine(location.origin, 'csk_…')} />
          </div>
        </Step>
        {admin && (
          <Step
            done={(people.data?.members.length ?? 0) > 1}
            title="Invite your team"
            action={<ButtonLink to="/settings/people">People</ButtonLink>}
          >
            Invitations are links: make one for each person and hand it over.
          </Step>
        )}
      </ol>
    </Page>
  );
}

/** The request that the newcomer sends first. */
export function curlLine(origin: string, key: string): string {
  return `curl -i ${origin}/api/v2/mcp-sessions/events \\
  -H 'x-api-key: ${key}' \\
  -H 'content-type: application/json' \\
  -d '{"sessionId": "0198c1f2-7a3b-7c4d-8e5f-0123456789ab", "eventType": "planner_session_started"}'`;
}

function Step({
  done,
  title,
  action,
  children,
}: {
  done: boolean;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className="rounded-xl border border-line bg-raised p-5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-3">
        {done ? (
          <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-label="Done" />
        ) : (
          <CircleDashed className="mt-0.5 size-5 shrink-0 text-quiet" aria-label="To do" />
        )}
        <div className="min-w-0 flex-1 basis-[calc(100%-3rem)] sm:basis-56">
          <h2 className="font-semibold">{title}</h2>
          <div className="text-sm text-quiet">{children}</div>
        </div>
        {action && <div className="ml-8 grid min-w-28 sm:ml-0">{action}</div>}
      </div>
    </li>
  );
}
