/** Settings → Agents: how to connect one, those that are signed in, and signing them out. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useOptimistic } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { CutShort, EmptyState, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { agentName } from './agents/agent-name.ts';
import { HowToConnect } from './agents/how-to-connect.tsx';

type Agent = CallOutput<'list-agents'>['agents'][number];

/** Where an agent is that came back to the computer it was signed in on: a loopback host, or a scheme of its own. */
const IS_LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$|:\/\/|:$/;

export function AgentsPage() {
  return (
    <Page
      title="Agents"
      lead="Coding agents read code and write plans in your name, over MCP. They can never approve a plan."
    >
      <Section title="Connect an agent">
        <HowToConnect address={`${location.origin}/mcp`} />
      </Section>
      <Section
        title="Signed-in agents"
        lead="Those that you let in through the browser, in this organization."
      >
        <SignedInAgents />
      </Section>
    </Page>
  );
}

function SignedInAgents() {
  const [revoking, setRevoking] = useState<Agent>();
  const { data, error, refetch } = useQuery(operationQuery('list-agents', { limit: 200 }));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  return (
    <>
      {data.agents.length === 0 ? (
        <EmptyState title="No agent is signed in">
          Connect one as shown above: it opens this service in your browser and asks you to let it in.
        </EmptyState>
      ) : (
        <Table
          label="Signed-in agents"
          columns={columns(setRevoking)}
          rows={data.agents}
          keyOf={(agent) => agent.id}
        />
      )}
      <CutShort nextCursor={data.nextCursor} shown={data.agents.length} />
      <RevokeAgent revoking={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}

function columns(revoke: (agent: Agent) => void): Column<Agent>[] {
  return [
    {
      name: 'Agent',
      wide: true,
      cell: (agent) => (
        <div className="min-w-0">
          <div className="font-medium wrap-anywhere">
            <bdi>{agentName(agent.name)}</bdi>
          </div>
          <div className="text-xs wrap-anywhere text-quiet">
            {IS_LOCAL.test(agent.returnsTo) && 'Local program, '}
            {agent.returnsTo}
          </div>
        </div>
      ),
    },
    { name: 'Signed in', cell: (agent) => <Time at={agent.signedInAt} /> },
    {
      name: 'Last used',
      cell: (agent) =>
        agent.lastUsedAt ? <Time at={agent.lastUsedAt} /> : <span className="text-quiet">never</span>,
    },
    {
      name: 'Revoke',
      hidden: true,
      cell: (agent) => (
        <Button
          look="danger"
          size="small"
          aria-label={`Revoke ${agentName(agent.name)}`}
          onClick={() => revoke(agent)}
        >
          Revoke
        </Button>
      ),
    },
  ];
}

function RevokeAgent({ revoking, onClose }: { revoking: Agent | undefined; onClose(): void }) {
  const toast = useToast();
  const revoke = useOptimistic({
    operation: 'revoke-agent',
    list: 'list-agents',
    expect: (before, { agentId }) => ({
      ...before,
      agents: before.agents.filter(({ id }) => id !== agentId),
    }),
  });
  const name = revoking ? agentName(revoking.name) : '';
  return (
    <ConfirmDialog
      open={revoking !== undefined}
      title={`Revoke ${name}?`}
      description="Every request of this agent fails from that moment on. To come back, it has to ask you again."
      action="Revoke agent"
      busy={revoke.isPending}
      problem={revoke.error}
      onClose={() => {
        revoke.reset();
        onClose();
      }}
      onConfirm={() =>
        revoke.mutate(
          { agentId: revoking!.id },
          {
            onSuccess: () => {
              toast(`${name} is revoked.`);
              onClose();
            },
          },
        )
      }
    />
  );
}
