/**
 * Three web nodes and two workers on one PostgreSQL behind a proxy, all of them processes of this checkout. Clients post plans and
 * comments, a webhook listens, keys are revoked, and every few seconds one node is killed and restarted. At the end, it checks that no
 * request failed except those in flight on a killed node, every comment is stored once, every event was delivered, and no revoked key was accepted.
 * Run it with `node bench/several-nodes.ts [seconds]`.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { balance } from './balance.ts';
import { type Cluster, createKey, type Node, PERSON, setUp, startCluster } from './nodes.ts';

const WEB = { ROLES: 'web' };
// A worker serves requests too, for its health check; the proxy sends none to it.
const WORKER = { ROLES: 'web,worker' };
const CLIENTS = 6;
const KILL_EVERY_MS = 4_000;
const DELIVERED_WITHIN_MS = 180_000;
const MAX_TRIES = 20;
const HTTP_CONFLICT = 409;

const seconds = Number(process.argv[2] ?? 60);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Receives webhooks: how often each delivery arrived, and which comments they were about. */
async function startReceiver() {
  const deliveries = new Map<string, number>();
  const comments = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = String(request.headers['webhook-id']);
    const isNew = !deliveries.has(id);
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
    const { data, type } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (isNew && type === 'plan.comment_added') comments.set(data.body, (comments.get(data.body) ?? 0) + 1);
    response.end();
  });
  return { url: await listenOn(server), deliveries, comments, close: () => server.close() };
}

async function listenOn(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

interface Tally {
  requests: number;
  inFlight: number;
  failures: string[];
  /** Posted comments, by plan. */
  posted: Map<string, string[]>;
}

/** No reply if its body was cut off because its node died. */
async function fetchText(url: string, options: RequestInit): Promise<{ reply?: Response; text: string }> {
  const reply = await fetch(url, options);
  return reply.text().then(
    (text) => ({ reply, text }),
    () => ({ text: '' }),
  );
}

/** One request, retried with the same idempotency key until a node answers. */
async function send(
  tally: Tally,
  url: string,
  key: string,
  path: string,
  body?: unknown,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'x-api-key': key, 'content-type': 'application/json' };
  if (body !== undefined) headers['idempotency-key'] = crypto.randomUUID();
  const options = { method: body ? 'POST' : 'GET', headers, body: body && JSON.stringify(body) };
  for (let tries = 1; ; tries += 1) {
    tally.requests += 1;
    const { reply, text } = await fetchText(url + path, options as RequestInit);
    if (reply?.ok) return JSON.parse(text);
    const wasInFlight = !reply || reply.headers.get('x-in-flight') === 'yes';
    // The first attempt may still hold its idempotency key after its node died.
    const isHeld = reply?.status === HTTP_CONFLICT && tries > 1;
    if (wasInFlight) tally.inFlight += 1;
    else if (!isHeld) tally.failures.push(`${path}: ${reply?.status} ${text.slice(0, 300)}`);
    if (tries === MAX_TRIES || !(wasInFlight || isHeld)) return {};
    await delay(isHeld ? 1_000 : 50);
  }
}

async function runClient(tally: Tally, url: string, key: string, isRunning: () => boolean): Promise<void> {
  const ask = (path: string, body?: unknown) => send(tally, url, key, path, body);
  while (isRunning()) {
    const plan = { seriesKey: crypto.randomUUID(), content: '# Plan\n\nSome text.', agentVendor: 'codex' };
    const { seriesId, versionId } = await ask('/api/v2/plans', plan);
    if (!seriesId) continue;
    const bodies = [crypto.randomUUID(), crypto.randomUUID()];
    for (const body of bodies) await ask(`/api/v2/plans/${seriesId}/comments`, { versionId, body });
    tally.posted.set(seriesId, bodies);
    await ask(`/api/v2/plans/${seriesId}/comments`);
    await ask('/api/v2/reviewer/reviewers');
  }
}

/** Creates a key, uses it, revokes it, and tries it on every node right away. Returns how often a revoked key was accepted. */
async function revoke(cluster: Cluster, nodes: () => Node[], proxy: string, round: number): Promise<number> {
  const name = `short-lived ${round}`;
  const key = await createKey(cluster, name);
  const ask = (url: string) =>
    fetch(`${url}/api/v2/reviewer/reviewers`, { headers: { 'x-api-key': key } }).then(
      (reply) => reply.status,
      () => 0,
    );
  await ask(proxy);
  const words = ['key', 'list', '--email', PERSON.email, '--json'];
  const keys = JSON.parse(await cluster.run(words)) as { id: string; name: string }[];
  const { id } = keys.find((one) => one.name === name)!;
  await cluster.run(['key', 'revoke', id]);
  const statuses = await Promise.all([...nodes().map(({ url }) => url), proxy].map(ask));
  return statuses.filter((status) => status === 200).length;
}

/** Kills and restarts one node after another; at most one web node and one worker are down at a time. */
async function killInTurn(cluster: Cluster, all: Slot[], isRunning: () => boolean): Promise<number> {
  const starting = new Map<object, Promise<void>>();
  let kills = 0;
  for (let turn = 0; isRunning(); turn += 1) {
    await delay(KILL_EVERY_MS);
    const slot = all[turn % all.length]!;
    await starting.get(slot.settings);
    slot.node.child.kill('SIGKILL');
    kills += 1;
    const again = cluster.start({ settings: slot.settings });
    starting.set(
      slot.settings,
      again.then((node) => {
        slot.node = node;
      }),
    );
  }
  await Promise.all(starting.values());
  return kills;
}

interface Slot {
  settings: Record<string, string>;
  node: Node;
}

async function addWebhook(url: string, receiver: string): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: url };
  const signIn = await fetch(`${url}/api/v2/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify(PERSON),
  });
  const cookie = signIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const body = JSON.stringify({ url: receiver });
  const made = await fetch(`${url}/api/v2/webhooks`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body,
  });
  if (made.status !== 201) throw new Error(`The webhook was not created: ${await made.text()}`);
}

const cluster = await startCluster();
const receiver = await startReceiver();
try {
  const key = await setUp(cluster);
  const slots: Slot[] = [];
  for (const settings of [WEB, WORKER, WEB, WORKER, WEB])
    slots.push({ settings, node: await cluster.start({ settings }) });
  const webNodes = () => slots.filter(({ settings }) => settings === WEB).map(({ node }) => node);
  await addWebhook(webNodes()[0]!.url, receiver.url);
  const proxy = await balance(() => webNodes().map(({ url }) => url));

  const tally: Tally = { requests: 0, inFlight: 0, failures: [], posted: new Map() };
  const until = performance.now() + seconds * 1000;
  const isRunning = () => performance.now() < until;
  let [revocations, accepted] = [0, 0];
  const revoking = async () => {
    for (; isRunning(); revocations += 1) accepted += await revoke(cluster, webNodes, proxy.url, revocations);
  };
  const clients = Array.from({ length: CLIENTS }, () => runClient(tally, proxy.url, key, isRunning));
  const [kills] = await Promise.all([killInTurn(cluster, slots, isRunning), revoking(), ...clients]);

  const expected = [...tally.posted.values()].flat();
  const deadline = performance.now() + DELIVERED_WITHIN_MS;
  const undelivered = () => expected.filter((body) => !receiver.comments.has(body));
  while (undelivered().length > 0 && performance.now() < deadline) await delay(500);

  const wrong: string[] = [];
  for (const [seriesId, bodies] of tally.posted) {
    const { comments } = (await send(
      tally,
      proxy.url,
      key,
      `/api/v2/plans/${seriesId}/comments`,
    )) as unknown as {
      comments: { body: string }[];
    };
    const there = comments.map(({ body }) => body).sort();
    if (there.join() !== [...bodies].sort().join())
      wrong.push(`${seriesId}: posted ${bodies}, there ${there}`);
  }
  await proxy.close();
  const twice = [...receiver.comments].filter(([, times]) => times > 1);
  const again = [...receiver.deliveries.values()].filter((times) => times > 1).length;
  print(
    `${kills} kills in ${seconds} s; ${tally.requests} requests, ${tally.inFlight} of them in flight on a killed node, ${tally.failures.length} others failed`,
  );
  print(`${expected.length} comments posted; ${wrong.length} plans with a comment lost or twice`);
  print(
    `${undelivered().length} events not delivered, ${twice.length} delivered under two ids, ${again} sent again under the same id`,
  );
  print(`${revocations} keys revoked, ${accepted} accepted afterward`);
  for (const line of [...new Set(tally.failures), ...wrong].slice(0, 20)) print(line);
  const isGood = tally.failures.length + wrong.length + undelivered().length + twice.length + accepted === 0;
  process.exitCode = isGood ? 0 : 1;
} finally {
  receiver.close();
  await cluster.stop();
}
