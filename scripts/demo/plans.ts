/** The demo's plans in chronological order, and its webhooks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DemoPeople, Visitor } from './organization.ts';
import * as texts from './plan-texts.ts';
import { type Chapter, DAY, HOUR, MINUTE } from './story.ts';

export interface DemoPlans {
  /** A plan with versions, threads and reviews; the owner's review is requested. */
  cache: string;
  /** The webhook with the most deliveries. */
  webhook: string;
  /** The first comment of the thread that is shown expanded. */
  thread: string;
}

interface Plan {
  seriesId: string;
  versionId: string;
}

export async function makeDemoPlans(
  { ada, grace, joan, people }: DemoPeople,
  story: Chapter,
): Promise<DemoPlans> {
  const post = (who: Visitor, path: string, body: object) => people.send(who, 'POST', `/api/v2${path}`, body);
  const userId = async (who: Visitor) => (await people.send(who, 'GET', '/api/v2/session')).user.id as string;
  const submit = (who: Visitor, agentVendor: string, content: string, more: object = {}): Promise<Plan> =>
    post(who, '/plans', { seriesKey: crypto.randomUUID(), agentVendor, content, ...more });
  const again = (who: Visitor, plan: Plan, agentVendor: string, content: string): Promise<Plan> =>
    post(who, '/plans', { seriesKey: plan.seriesId, agentVendor, content, ...MODEL });
  const comment = async (who: Visitor, plan: Plan, body: string, more: object = {}): Promise<string> =>
    (await post(who, `/plans/${plan.seriesId}/comments`, { body, versionId: plan.versionId, ...more })).id;
  const act = (who: Visitor, plan: Plan, action: string, body: object = {}) =>
    post(who, `/plans/${plan.seriesId}/${action}`, body);
  const triage = (who: Visitor, plan: Plan, commentId: string, triageState: string) =>
    people.send(who, 'PATCH', `/api/v2/plans/${plan.seriesId}/comments/${commentId}`, { triageState });
  const [adaId, joanId] = [await userId(ada), await userId(joan)];

  await story.at(34 * DAY);
  const taxes = await submit(ada, 'codex', texts.TAXES, { repoNames: ['acme/web-shop', 'acme/tax-rates'] });
  await story.at(33 * DAY);
  await act(grace, taxes, 'approve', { versionId: taxes.versionId });
  await story.at(30 * DAY);
  await act(ada, taxes, 'pull-requests', { prNumber: 1318, repoName: 'acme/web-shop' });
  await act(ada, taxes, 'mark-implemented');
  await story.at(21 * DAY);
  const scheduler = await submit(joan, 'cursor', texts.SCHEDULER, { repoNames: ['acme/scheduler'] });
  await comment(grace, scheduler, 'Billing moves off that queue in spring.');
  await story.at(19 * DAY);
  await act(grace, scheduler, 'close', { note: 'Waiting for the new queue.' });
  await story.at(9 * DAY);
  const rotate = await submit(ada, 'claude-code', texts.ROTATE_V1, { repoNames: ['acme/gateway'], ...MODEL });
  await story.at(8 * DAY);
  await act(grace, rotate, 'request-changes', {
    versionId: rotate.versionId,
    note: 'What happens to a key that nobody rotates?',
  });
  await story.at(7 * DAY);
  const rotated = await again(ada, rotate, 'claude-code', texts.ROTATE_V2);
  await story.at(6 * DAY);
  await act(grace, rotate, 'approve', { versionId: rotated.versionId, note: 'Ninety days it is.' });

  const { webhook } = await makeWebhooks(ada, people);
  await story.at(5 * DAY);
  const shard = await submit(grace, 'codex', texts.SHARD, { repoNames: ['acme/telemetry'] });
  await comment(joan, shard, 'Legal says five years for accidents.', {
    anchor: 'How long do we keep what a robot reported before an accident?',
  });

  await story.at(3 * DAY);
  const first = await submit(grace, 'claude-code', texts.CACHE_V1, {
    repoNames: ['acme/web-shop', 'acme/catalogue'],
    ...MODEL,
  });
  await act(grace, first, 'review-requests', { userIds: [adaId, joanId] });
  await story.at(2 * DAY + 20 * HOUR);
  const minutes = await comment(
    ada,
    first,
    'Ten minutes is too long: prices change at midnight, to the second.',
    {
      anchor: "Product pages cache the catalogue's reply for ten minutes, in the memory of each web node.",
    },
  );
  const cart = await comment(ada, first, 'It must not. Customers pay the current price.', {
    anchor: 'Does the cart use the same price as the page?',
  });
  const names = await comment(joan, first, 'Nit: call it `product-cache.ts`?', {
    anchor: 'Add `src/catalogue/cache.ts` with a limit of 50,000 products',
  });
  await story.at(2 * DAY + 4 * HOUR);
  await act(ada, first, 'request-changes', {
    versionId: first.versionId,
    note: 'Good idea, but the cart must not use an old price.',
  });
  await story.at(27 * HOUR);
  await triage(grace, first, minutes, 'open');
  await triage(grace, first, names, 'dismissed');
  const second = await again(grace, first, 'claude-code', texts.CACHE_V2);
  await comment(grace, second, 'One minute now, and a price change invalidates it immediately.', {
    parentId: minutes,
  });
  await story.at(26 * HOUR);
  const stock = await submit(joan, 'claude-code', texts.STOCK, { repoNames: ['acme/web-shop'], ...MODEL });
  await act(joan, stock, 'review-requests', { userIds: [adaId] });
  await story.at(20 * HOUR);
  const alert = await comment(ada, second, 'How do we notice when it stops working?', {
    anchor: 'The traffic of the last sale day, replayed against staging: 90% of requests under 300 ms.',
  });
  await story.at(5 * HOUR);
  const third = await again(grace, first, 'claude-code', texts.CACHE_V3);
  await comment(grace, third, 'v3 excludes the cart, and says so.', { parentId: cart });
  await comment(grace, third, 'Added a step: an alert below 80%.', { parentId: alert });
  await comment(joan, third, '80% is normal on a quiet day. 90%?', {
    anchor: 'Alert when the hit rate drops below 80%',
  });

  await story.at(3 * HOUR);
  const node = await submit(ada, 'claude-code', texts.NODE_V1, {
    repoNames: ['acme/build-tools', 'acme/web-shop', 'acme/gateway'],
    ...MODEL,
  });
  await story.at(2 * HOUR);
  await comment(joan, node, 'The robots’ firmware tools still run on 20. I’ll ask them.');
  await story.at(42 * MINUTE);
  const weeks = await comment(grace, node, 'Two weeks is short over the holidays.', {
    anchor: 'Tell the teams two weeks ahead',
  });
  await story.at(20 * MINUTE);
  await comment(ada, node, 'Four, then.', { parentId: weeks });
  await story.at(8 * MINUTE);
  await comment(grace, node, 'Good. The shop’s Dockerfile pins 20.11, so check that too.', {
    parentId: weeks,
  });
  await act(grace, node, 'approve', { versionId: node.versionId, note: 'With four weeks.' });
  await untilTried(ada, people, webhook);
  const { items } = await people.send(ada, 'GET', '/api/v2/inbox?limit=200');
  const itemIds = items.slice(UNREAD).map(({ id }: { id: string }) => id);
  await post(ada, '/inbox/read', { itemIds });
  return { cache: first.seriesId, webhook, thread: cart };
}

/** Entries that Ada has not read yet. */
const UNREAD = 6;
const MODEL = { modelId: 'claude-opus-4-5', tokensUsed: { input_tokens: 184_220, output_tokens: 9_340 } };

/** Waits until the worker has tried every delivery. */
async function untilTried(ada: Visitor, people: DemoPeople['people'], webhook: string): Promise<void> {
  for (;;) {
    const { deliveries } = await people.send(ada, 'GET', `/api/v2/webhooks/${webhook}/deliveries?limit=200`);
    const newest = deliveries[0]?.eventKind;
    const tried = deliveries.every(({ attempts }: { attempts: number }) => attempts > 0);
    if (tried && (newest === 'status_changed' || newest === 'approved')) return;
    await new Promise((passed) => setTimeout(passed, 200));
  }
}

/** Events that the chat refuses. */
const REFUSED = ['plan.status_changed', 'plan.changes_requested'];

/** Three webhooks: one that accepts everything, one that refuses some events, and one that is disabled. */
async function makeWebhooks(ada: Visitor, people: DemoPeople['people']): Promise<{ webhook: string }> {
  const receiver = createServer(async (request, response) => {
    const { type } = JSON.parse(await text(request));
    const refuses = request.url === '/chat' && REFUSED.includes(type);
    response.statusCode = refuses ? 503 : 200;
    response.end(refuses ? 'Too many messages, try again later' : 'ok');
  });
  await new Promise<void>((ready) => void receiver.listen(0, '127.0.0.1', ready));
  receiver.unref();
  const { port } = receiver.address() as AddressInfo;
  const make = async (path: string, eventKinds: string[] = []) => {
    const url = `http://127.0.0.1:${port}/${path}`;
    return (await people.send(ada, 'POST', '/api/v2/webhooks', { url, eventKinds })).webhook.id as string;
  };
  await make('ci', ['approved', 'version_added']);
  const webhook = await make('chat');
  const old = await make('old', ['plan_created']);
  await people.send(ada, 'PATCH', `/api/v2/webhooks/${old}`, { enabled: false });
  return { webhook };
}
