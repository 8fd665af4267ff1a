/** The whole life of a plan through the tools, with every credential that `/mcp` accepts, in old and new protocol versions. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { act } from '../../../test/helpers/rows/plans.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { connect, GENERATIONS } from '../../../test/mcp/clients.ts';
import { callTool } from '../../../test/mcp/tool-calls.ts';
import { signInAgent } from '../../../test/oauth/agent.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme } = service;
const code = await addRepository(service, { 'src/run.ts': 'export const run = 1;\n' });

const CREDENTIALS = {
  'a key in x-api-key': async () => ({ 'x-api-key': acme.member.key }),
  'a key as bearer': async () => ({ authorization: `Bearer ${acme.member.key}` }),
  'an OAuth token': async () => {
    const { tokens } = await signInAgent(service, acme.member);
    return { authorization: `Bearer ${tokens.access_token}` };
  },
} as const;

describe.each(GENERATIONS)('protocol %s', (generation) => {
  it.each(Object.keys(CREDENTIALS) as (keyof typeof CREDENTIALS)[])(
    'every tool works with %s',
    async (kind) => {
      const client = await connect(service.url, await CREDENTIALS[kind](), generation);
      const call = async (name: string, given: Record<string, unknown>) =>
        (await callTool(client, name, given)).structured;
      const planId = randomUUID();
      const repository = code.fullName;

      await call('record_session_event', { sessionId: planId, eventType: 'planner_session_started' });
      expect(
        (await call('remote_file_search', { repository, pattern: '*.ts', sessionId: planId })).total,
      ).toBe(1);
      const { text: found } = await callTool(client, 'remote_grep', { repository, pattern: 'run', path: '' });
      expect(found).toMatch(/^1 matching line at commit /);
      const { text: file } = await callTool(client, 'remote_read_file', { repository, path: 'src/run.ts' });
      expect(file).toMatch(/^Lines 1 to 1 of 1, at commit /);
      const posted = await call('update_plan', {
        sessionId: planId,
        content: '# Run twice',
        agentVendor: 'codex',
        repoNames: [repository],
      });

      const commented = await service.request('POST', `/api/v2/plans/${planId}/comments`, {
        as: withSession(acme.owner),
        body: { body: 'Thrice.', versionId: posted.versionId },
      });
      const woken = await call('wait_for_review', { planId, since: posted.since });
      expect(woken.events).toMatchObject([{ kind: 'comment_added', commentId: commented.body.id }]);
      const { awaitingTriage } = await call('get_plan_comments', { planId });
      expect(awaitingTriage).toMatchObject([{ comment: { writtenBy: 'person', body: 'Thrice.' } }]);
      await call('respond_to_plan_comment', { planId, commentId: commented.body.id, body: 'Done.' });
      const { alreadyReplied } = await call('get_plan_comments', { planId });
      expect(alreadyReplied).toMatchObject([{ lastReplyBy: 'agent' }]);

      await act(service, acme.owner, { seriesId: planId }, 'approve', { versionId: posted.versionId });
      expect((await call('wait_for_review', { planId, since: woken.since })).status).toBe('approved');
      expect((await call('get_plan', { planId })).reviews).toMatchObject([{ verdict: 'approved' }]);
      expect(await call('link_plan_to_pr', { planId, prNumber: 3 })).toMatchObject({ pullRequestCount: 1 });
    },
  );
});
