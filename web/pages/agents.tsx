/** Settings → Agents: how to connect one, which are signed in, and how to revoke them. */
import { useState } from 'react';
import type { CallOutput } from '../api/client.ts';
import { useOperationPages, useOptimistic } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Card, EmptyState, ErrorState, LoadingRows, Page, Section, ShowMore } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { agentName } from '../parts/agents/agent-name.ts';
import { HowToConnect } from '../parts/agents/how-to-connect.tsx';

type Agent = CallOutput<'list-agents'>['agents'][number];

/** A redirect to the computer of the browser: a loopback host, or a custom URL scheme. */
const IS_LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$|:\/\/|:$/;

export function AgentsPage() {
  return (
    <Page
      title="Agents"
      lead="Coding agents read code and write plans on your behalf over MCP. They can never approve a plan."
    >
      <Section title="Connect an agent">
        <Card>
          <HowToConnect address={`${location.origin}/mcp`} />
        </Card>
      </Section>
      <Section title="Signed-in agents" lead="Agents you allowed in this organization.">
        <SignedInAgents />
      </Section>
    </Page>
  );
}

function SignedInAgents() {
  const [revoking, setRevoking] = useState<Agent>();
  const list = useOperationPages('list-agents', {});
  const agents = list.data?.pages.flatMap((page) => page.agents);
  if (list.error && !agents) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!agents) return <LoadingRows />;
  return (
    <>
      {agents.length === 0 ? (
        <EmptyState title="No agents yet">
          Connect one as shown above. It opens this service in your browser and asks for your permission.
        </EmptyState>
      ) : (
        <Table
          label="Signed-in agents"
          columns={columns(setRevoking)}
          rows={agents}
          keyOf={(agent) => agent.id}
        />
      )}
      <ShowMore pages={list} />
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
        agent.lastUsedAt ? <Time at={agent.lastUsedAt} /> : <span className="text-quiet">Never</span>,
    },
    {
      name: 'Actions',
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
      description="Requests from this agent fail immediately. To reconnect, it has to ask for your permission again."
      action="Revoke"
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
              toast(`${name} revoked`);
              onClose();
            },
          },
        )
      }
    />
  );
}
