/** Replaces times, addresses and numbers in replies about plans, pull requests, inboxes and webhooks with those of the story. */
import { ago, DAY, HOUR, MINUTE, type Story } from './story.ts';

type Row = Record<string, unknown>;

const ADDRESSES: Record<string, string> = {
  ci: 'https://ci.acme.example/hooks/countersign',
  chat: 'https://chat.acme.example/hooks/plans',
  old: 'https://wiki.acme.example/incoming/7f3a',
};
/** When each delivery was made, newest first, in minutes before now. */
const DELIVERED = [8, 8, 20, 42, 2 * HOUR, 3 * HOUR, 5 * HOUR, 5 * HOUR, 5 * HOUR, 5 * HOUR, 20 * HOUR];
const DURATIONS_MS = [184, 96, 121, 88, 143, 2_310, 104, 91, 117];
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const SAMPLE_UUID = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
/** The deliveries as last listed, for the reply about one of them. */
const listed = new Map<unknown, Row>();

/** The adjusted reply; undefined for other replies. */
export function settlePlans(path: string, body: Row, story: Story): Row | undefined {
  if (/^\/api\/v2\/(plans|pull-requests|inbox)(\/|$)/.test(path)) return story.adjust(body);
  if (!path.startsWith('/api/v2/webhooks')) return undefined;
  if (Array.isArray(body.webhooks)) return { webhooks: body.webhooks.map(settleWebhook) };
  if (Array.isArray(body.deliveries)) return { ...body, deliveries: body.deliveries.map(settleDelivery) };
  return settleDetail(body, story);
}

function settleWebhook(webhook: Row): Row {
  const newest = webhook.newestDelivery as Row | null;
  return {
    ...webhook,
    url: ADDRESSES[String(webhook.url).replace(/^.*\//, '')] ?? webhook.url,
    createdAt: ago(6 * DAY),
    newestDelivery: newest && { ...newest, createdAt: ago(newest.state === 'pending' ? 8 : 5 * HOUR) },
  };
}

/** The newest pending deliveries are retried soon; older ones have failed, which takes a day in reality. */
function settleDelivery(delivery: Row, index: number): Row {
  const createdMinutes = DELIVERED[index] ?? (index - DELIVERED.length + 1) * DAY;
  const isWaiting = delivery.state === 'pending' && index < 2;
  const gaveUp = delivery.state === 'pending' && !isWaiting;
  const settled = {
    ...delivery,
    createdAt: ago(createdMinutes),
    durationMs: DURATIONS_MS[index % DURATIONS_MS.length],
    ...(isWaiting && { attempts: 3, responseStatus: 503, nextAttemptAt: ago(-2 * MINUTE) }),
    ...(gaveUp && { state: 'failed', attempts: 8, responseStatus: 503, nextAttemptAt: null }),
    ...((isWaiting || gaveUp) && { note: BUSY }),
  };
  listed.set(delivery.id, settled);
  return settled;
}

const BUSY = 'Too many messages, try again later';

function settleDetail(body: Row, story: Story): Row {
  const delivery = listed.get(body.id) ?? {};
  const payload = JSON.stringify(story.adjust(JSON.parse(String(body.payload)))).replaceAll(
    UUID,
    SAMPLE_UUID,
  );
  const attemptLog = [8, 7, 3].map((minutes, index) => ({
    at: ago(minutes),
    responseStatus: 503,
    note: BUSY,
    durationMs: DURATIONS_MS[index],
  }));
  return { ...body, ...delivery, payload, ...(delivery.state === 'pending' && { attemptLog }) };
}
