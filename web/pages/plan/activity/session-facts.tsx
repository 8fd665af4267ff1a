/** The agent's session in which the plan was written. */
import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatTokens } from '../format.ts';
import type { Plan } from '../plan-data.ts';

export function SessionFacts({ session }: { session: Plan['session'] }) {
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">Planner session</h2>
      {!session && <p className="text-sm text-quiet">No session data from the agent.</p>}
      {session && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          {session.agentVendor && <Row name="Agent">{session.agentVendor}</Row>}
          {session.modelId && <Row name="Model">{session.modelId}</Row>}
          {session.tokensUsed && <Row name="Tokens">{formatTokens(session.tokensUsed)}</Row>}
          <Row name="Duration">
            {formatDuration(session.durationSeconds)}, {formatCount(session.eventCount, 'event')}
          </Row>
          {session.repositories.length > 0 && (
            <Row name="Repositories read">
              {session.repositories.map((repository) => (
                <code key={repository} className="block font-mono text-xs leading-6">
                  {repository}
                </code>
              ))}
            </Row>
          )}
        </dl>
      )}
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}
