/** A node that is stopping replies to waiting agents, so that they can continue on another node. */
import { describe, expect, it } from 'vitest';
import { postPlan } from '../../../../test/helpers/rows/plans.ts';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { connect, connectFirst, GENERATIONS } from '../../../../test/mcp/clients.ts';
import { callTool } from '../../../../test/mcp/tool-calls.ts';
import type { Context } from '../../../context.ts';
import { operations } from '../../../operations.ts';
import type { Operation } from '../../../platform/core/operations/operation.ts';

const service = await startTestService();
const { acme } = service;
const headers = { 'x-api-key': acme.member.key };

/** The operations; calls back when a wait starts. */
function withSigns(onWait: () => void): Operation<Context>[] {
  return operations.map((operation) => {
    if (operation.name !== 'wait-for-plan-changes') return operation;
    const run: typeof operation.run = (context, input, prepared) => {
      if ((input as { waitSeconds: number }).waitSeconds > 0) onWait();
      return operation.run(context, input, prepared);
    };
    return { ...operation, run };
  });
}

async function startNode() {
  const { promise: waits, resolve } = Promise.withResolvers<void>();
  const node = await startAnotherNode(service, {}, withSigns(resolve));
  return { ...node, waits, planId: (await postPlan(service, acme.member)).body.seriesId };
}

describe('agents waiting on a node that is stopping', () => {
  it.each(GENERATIONS)('learn where to continue, in protocol version %s', async (generation) => {
    const { planId, stop, url, waits } = await startNode();
    const client = await connect(url, headers, generation);
    const waiting = callTool(client, 'wait_for_review', { planId, timeoutSeconds: 55 });
    await waits;
    await stop();
    expect((await waiting).structured).toMatchObject({ outcome: 'timeout', since: expect.any(Number) });
  });

  it('get the same reply with the older client', async () => {
    const { planId, stop, url, waits } = await startNode();
    const client = await connectFirst(url, headers);
    const given = { planId, timeoutSeconds: 55 };
    const waiting = client.callTool({ name: 'wait_for_review', arguments: given });
    await waits;
    await stop();
    expect(await waiting).toMatchObject({ structuredContent: { outcome: 'timeout' } });
  });
});
