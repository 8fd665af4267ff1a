/** The part of the walk about agents: every tool, resource and prompt, through a real client. */
import { connect } from '../mcp/clients.ts';
import type { Json } from './placeholders.ts';
import type { Recorder } from './recorder.ts';

const FILE = 'src/money.ts';

export async function walkTools({ callTool, known, note, service }: Recorder): Promise<string[]> {
  const { admin, member } = service.acme;
  const client = await connect(service.url, { 'x-api-key': admin.key });
  const other = await connect(service.url, { 'x-api-key': member.key });
  const call = (name: string, given: Record<string, unknown>) => callTool(client, name, given);
  const repository = known.repository as string;
  const planId = known.seriesKey as string;
  await call('repo_search', { keywords: ['shop'] });
  await call('remote_file_search', { repository, pattern: 'src/*.ts' });
  await call('remote_grep', { repository, pattern: 'format', path: '' });
  await call('remote_read_file', { repository, path: 'src/cart.ts' });
  await call('remote_read_file', { repository, path: 'gone.ts' });
  await call('find_symbol', { name: 'format' });
  await call('who_uses', { name: 'express' });
  await call('list_reviewers', { repository });
  await call('get_plan', { planId });
  await call('get_plan', { planId: 'x' });
  await call('get_plan_comments', { planId });
  await call('respond_to_plan_comment', { planId, commentId: known.commentId, body: 'It is in the plan.' });
  await call('update_plan', {
    ...{ sessionId: planId, content: '# Pay\n\nPay by card.\n', baseVersion: 2 },
  });
  await call('link_plan_to_pr', { planId, prNumber: known.prNumber, repository });
  await call('record_session_event', { sessionId: known.sessionId, eventType: 'planner_session_started' });
  await call('open_pull_request', { repository, head: 'feature', title: 'Remove', skipIfOpen: true });
  const commit = known.headCommit as string;
  const zeros = '0'.repeat(40);
  await call('check_push', { repository, updates: [{ branch: 'main', from: commit, to: zeros }] });
  await call('set_status', { repository, commit, name: 'ci/build', state: 'success' });
  await call('get_branch_discussions', { repository, branch: 'feature' });
  await call('reply_to_discussion', { discussionId: known.discussionId, body: 'Done.' });
  await call('wait_for_review', { repository, branch: 'feature', since: 0, waitSeconds: 0 });
  const { runId } = (await call('start_review', { repository, prNumber: known.prNumber })) ?? {};
  await call('report_finding', {
    ...{ runId, file: FILE, line: 1, quote: 'export const taxes = 19;', claim: 'other', subject: 'taxes' },
    ...{ title: 'Taxes are a number', scenario: 'Nineteen what? The cart shows a sum that is too large.' },
  });
  const second = (await callTool(other, 'start_review', { repository, prNumber: known.prNumber })) ?? {};
  await callTool(other, 'verify_findings', { runId: second.runId });
  await call('finish_review', { runId, lookedAt: [FILE] });

  const { resources } = await client.listResources();
  note('resources', { request: 'resources/list', reply: resources } as Json);
  const { resourceTemplates } = await client.listResourceTemplates();
  note('resources', { request: 'resources/templates/list', reply: resourceTemplates } as Json);
  const named: Record<string, unknown> = {
    planId,
    repository,
    owner: 'acme',
    name: 'shop',
    branch: 'feature',
  };
  for (const { uriTemplate } of resourceTemplates) {
    const uri = uriTemplate.replaceAll(/\{\+?(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(named[name] ?? name)),
    );
    note('resources', { request: uri, reply: (await client.readResource({ uri })).contents } as Json);
  }
  const { prompts } = await client.listPrompts();
  note('prompts', { request: 'prompts/list', reply: prompts } as Json);
  for (const { arguments: asked = [], name } of prompts) {
    const given = Object.fromEntries(asked.map((each) => [each.name, `the ${each.name}`]));
    const { messages } = await client.getPrompt({ name, arguments: given });
    note('prompts', { request: name, arguments: given, reply: messages } as Json);
  }
  return (await client.listTools()).tools.map(({ name }) => name);
}
