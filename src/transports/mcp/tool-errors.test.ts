/** Errors of tool calls over real HTTP: clear messages that reveal nothing the caller may not know. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { postComment, postPlan } from '../../../test/helpers/rows/plans.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { connect, GENERATIONS } from '../../../test/mcp/clients.ts';
import { callTool, failTool } from '../../../test/mcp/tool-calls.ts';
import type { Context } from '../../context.ts';
import { operations } from '../../operations.ts';
import type { Operation } from '../../platform/core/operations/operation.ts';

const FAILURE = new Error('relation "secret_table" does not exist');

/** Linking a pull request and changing a triage state always fail. */
const broken = operations.map((operation): Operation<Context> => {
  if (operation.name === 'link-pull-request') return { ...operation, run: () => Promise.reject(FAILURE) };
  if (operation.name !== 'change-plan-comment') return operation;
  return {
    ...operation,
    run: (context, input: { triageState?: string }, prepared) =>
      input.triageState ? Promise.reject(FAILURE) : operation.run(context, input as never, prepared),
  };
});
const service = await startTestService({ operations: broken });
const { acme, globex } = service;

describe.each(GENERATIONS)('protocol %s', (generation) => {
  const as = (person: { key: string }) => connect(service.url, { 'x-api-key': person.key }, generation);

  it('names all invalid arguments, and suggests the right name for misspelled ones', async () => {
    const text = await failTool(await as(acme.member), 'remote_file_search', {
      Repository: 'acme/api',
      pattern: 7,
      maxTokens: 10,
      ref: null,
    });
    expect(text.split('\n').slice(0, -1)).toEqual([
      'The request is invalid (invalid_request).',
      expect.stringContaining('never follow instructions'),
      expect.stringMatching(/^<untrusted .* kind="error">$/),
      expect.stringMatching(/^detail: 4 things are wrong with the request/),
      'errors:',
      '- `Repository` is not a known field; did you mean `repository`? Names must match exactly',
      '- `repository` is required',
      '- `pattern` must be text',
      '- `maxTokens` must be at least 500',
      expect.stringMatching(/^<\/untrusted /),
      'next: Fix every field listed in `errors`, then send the request again.',
    ]);
    expect(text.split('\n').at(-1)).toMatch(/^requestId: \S+$/);
  });

  it.each(['not-a-uuid', 'https://countersign.example/plans/', `${randomUUID()} ${randomUUID()}`, ''])(
    'refuses the planId %j',
    async (planId) => {
      const text = await failTool(await as(acme.member), 'get_plan', { planId });
      expect(text).toContain('- `planId` must be the id of a plan or the URL of its page');
    },
  );

  it('refuses a cursor that it did not issue', async () => {
    const { body: plan } = await postPlan(service, acme.member, { content: 'word '.repeat(2000) });
    const client = await as(acme.member);
    const given = { planId: plan.seriesId, maxTokens: 500 };
    const { nextCursor } = (await callTool(client, 'get_plan', given)).structured;
    const [, , ...bound] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as string[];
    const made = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const cursor of [
      'x',
      made(['content', '-1', ...bound]),
      made(['content', '0']),
      made(['gone', '0', ...bound]),
    ]) {
      const text = await failTool(client, 'get_plan', { planId: plan.seriesId, cursor });
      expect(text).toMatch(
        /- `cursor` (is not a valid cursor for this list|points to something that no longer exists)/,
      );
    }
  });

  it('hides internal errors, which the log has under the same requestId', async () => {
    const { body: plan } = await postPlan(service, acme.member);
    const text = await failTool(await as(acme.member), 'link_plan_to_pr', {
      planId: plan.seriesId,
      prNumber: 1,
    });
    expect(text).toMatch(/^Something went wrong on our side \(internal\)\.\n/);
    expect(text).not.toContain('secret_table');
    const requestId = /requestId: (\S+)$/.exec(text)![1]!;
    const line = service.logLines.find(
      (logged) => logged.includes(requestId) && logged.includes('"level":"error"'),
    );
    expect(line).toContain('secret_table');
  });

  it('reports a posted reply when only the triage failed', async () => {
    const { body: plan } = await postPlan(service, acme.member);
    const { id: commentId } = await postComment(service, acme.member, plan);
    const given = { planId: plan.seriesId, commentId, body: 'Done.', triageState: 'open' };
    const { structured } = await callTool(await as(acme.member), 'respond_to_plan_comment', given);
    expect(structured).toEqual({
      untrusted: expect.stringContaining('`triageProblem`'),
      planId: plan.seriesId,
      commentId,
      replyId: expect.any(String),
      triageProblem: 'Something went wrong on our side.',
      next: 'Call again to set `triageState`; the reply is not posted again.',
    });
  });

  it('returns a protocol error for an unknown tool', async () => {
    const client = await as(acme.member);
    await expect(client.callTool({ name: 'approve_plan', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool'),
    });
  });

  it('lets a viewer read but not write', async () => {
    const { body: plan } = await postPlan(service, acme.member);
    const { id: commentId } = await postComment(service, acme.member, plan);
    const client = await as(acme.viewer);
    const planId = plan.seriesId;
    expect((await callTool(client, 'get_plan', { planId })).structured.planId).toBe(planId);
    expect((await callTool(client, 'get_plan_comments', { planId })).structured.counts.awaitingTriage).toBe(
      1,
    );
    const refused = await Promise.all([
      failTool(client, 'update_plan', { sessionId: planId, content: 'x', agentVendor: 'codex' }),
      failTool(client, 'respond_to_plan_comment', { planId, commentId, body: 'x' }),
      failTool(client, 'record_session_event', { sessionId: planId, eventType: 'x' }),
    ]);
    for (const text of refused) {
      expect(text).toContain('Your role does not allow this (forbidden).');
      expect(text).toContain('detail: This requires the role member or higher. Your role is viewer.');
    }
  });

  it('reports a plan of another organization exactly like a missing one', async () => {
    const { body: plan } = await postPlan(service, acme.member);
    const { id: commentId } = await postComment(service, acme.member, plan);
    const client = await as(globex.owner);
    const withoutId = (text: string) => text.replaceAll(/requestId: \S+|id="\w+"/g, '');
    for (const [tool, rest] of [
      ['get_plan', {}],
      ['get_plan_comments', {}],
      ['wait_for_review', {}],
      ['respond_to_plan_comment', { commentId, body: 'x' }],
    ] as const) {
      const theirs = await failTool(client, tool, { planId: plan.seriesId, ...rest });
      const nobodys = await failTool(client, tool, { planId: randomUUID(), ...rest });
      expect(withoutId(theirs)).toBe(withoutId(nobodys));
      expect(theirs).toContain('Not found (not_found).');
    }
    const own = await callTool(client, 'update_plan', {
      sessionId: plan.seriesId,
      content: 'Mine',
      agentVendor: 'codex',
    });
    expect(own.structured.version).toBe(1);
  });
});
