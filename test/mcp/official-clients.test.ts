/** The official clients, 1.x and 2.x, complete a plan's workflow at `/mcp`, with a key in its own header and as a bearer token. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { act, postComment, SAMPLE_PLAN } from '../helpers/rows/plans.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { connect, connectFirst, textOf } from './clients.ts';

const service = await startTestService();
const { acme } = service;

type Called = { structuredContent?: Record<string, unknown>; isError?: boolean; content: unknown };

const CLIENTS = {
  '1.x': (headers: Record<string, string>) => connectFirst(service.url, headers),
  '2.x in the older generation': (headers: Record<string, string>) =>
    connect(service.url, headers, '2025-11-25'),
  '2.x in the newer generation': (headers: Record<string, string>) => connect(service.url, headers),
};

const CREDENTIALS = {
  'x-api-key': { 'x-api-key': acme.member.key },
  'Authorization: Bearer': { authorization: `Bearer ${acme.member.key}` },
};

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])('the client %s', (version) => {
  it.each(Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[])(
    'posts a plan, sees its review and reads it, with a key as %s',
    async (way) => {
      const client = await CLIENTS[version](CREDENTIALS[way]);
      expect(client.getServerVersion()).toMatchObject({ name: 'countersign' });
      expect(client.getInstructions()).toContain('update_plan');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('wait_for_review');

      const call = async (name: string, given: Record<string, unknown>) => {
        const called = (await client.callTool({ name, arguments: given })) as Called;
        expect(called.isError, JSON.stringify(called.content)).toBeFalsy();
        return called.structuredContent!;
      };
      const sessionId = randomUUID();
      const agentVendor = 'claude-code';
      const posted = await call('update_plan', { sessionId, content: SAMPLE_PLAN, agentVendor });
      expect(JSON.stringify(posted)).toContain(`${service.url}/plans/${sessionId}`);
      const plan = (
        await service.request('GET', `/api/v2/plans/${sessionId}`, {
          as: { session: acme.owner.token },
        })
      ).body;
      await postComment(service, acme.owner, plan, { body: 'Is the memory bounded?' });
      expect((await act(service, acme.owner, plan, 'approve', { versionId: plan.versionId })).status).toBe(
        200,
      );
      const waited = await call('wait_for_review', { planId: sessionId, since: 0, timeoutSeconds: 1 });
      expect(JSON.stringify(waited)).toContain('approved');
      expect(JSON.stringify(await call('get_plan_comments', { planId: sessionId }))).toContain(
        'Is the memory bounded?',
      );
      expect(await call('get_plan', { planId: sessionId })).toMatchObject({ status: 'approved' });

      const { contents } = await client.readResource({ uri: `countersign://plans/${sessionId}` });
      expect(textOf({ contents })).toContain('Speed up the export');
      const prompt = await client.getPrompt({
        name: 'answer-plan-comments',
        arguments: { planId: sessionId },
      });
      expect(JSON.stringify(prompt)).toContain(sessionId);
    },
  );

  it('gets the reason when its key is invalid, and no sign-in that needs a browser', async () => {
    const refusal = await CLIENTS[version]({ 'x-api-key': 'csk_wrong' }).then(
      () => 'connected',
      (error: Error) => String(error),
    );
    expect(refusal).toMatch(/401|no valid credential|unauthori[sz]ed/i);
  });
});
