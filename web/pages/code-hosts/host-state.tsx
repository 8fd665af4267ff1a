/** The state of a code host, as a badge and as a list of checks. */
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { CallOutput } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';

export type CodeHost = CallOutput<'get-code-host'>;

export const KIND_NAMES = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea or Forgejo' } as const;

export function HostState({ host: { checks } }: { host: Pick<CodeHost, 'checks'> }) {
  if (checks.some(({ state }) => state === 'problem')) return <Badge kind="danger">Problem</Badge>;
  if (checks.some(({ state }) => state === 'warning')) return <Badge kind="warn">Check</Badge>;
  return <Badge kind="good">Working</Badge>;
}

const ICONS = {
  ok: <CircleCheck className="size-4 text-good" aria-hidden="true" />,
  warning: <TriangleAlert className="size-4 text-warn" aria-hidden="true" />,
  problem: <CircleAlert className="size-4 text-danger" aria-hidden="true" />,
};
const STATE_NAMES = { ok: 'Works', warning: 'Warning', problem: 'Problem' };

export function HostChecks({ checks }: Pick<CodeHost, 'checks'>) {
  return (
    <ul aria-label="Checks" className="grid gap-3">
      {checks.map(({ fix, message, name, state }) => (
        <li key={name} className="flex gap-2.5 text-sm">
          <span className="mt-0.5 shrink-0">{ICONS[state]}</span>
          <div className="min-w-0">
            <p className="wrap-anywhere">
              <span className="sr-only">{STATE_NAMES[state]}: </span>
              {message}
            </p>
            {fix && <p className="mt-0.5 wrap-anywhere text-quiet">{fix}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
