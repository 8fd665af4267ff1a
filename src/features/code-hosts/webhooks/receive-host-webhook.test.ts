/** Webhooks of one host that fail or are slow don't affect those of another, and what waits has a limit. */
import { once } from 'node:events';
import { type Kysely, sql } from 'kysely';
import { afterAll, expect, it, vi } from 'vitest';
import {
  type ConnectedHost,
  connectHost,
  connectHostWithBrokenSecret,
  HOOK_SECRET,
} from '../../../../test/code-hosts/connected.ts';
import { signedGitHubDelivery } from '../../../../test/code-hosts/github-deliveries.ts';
import { startGitHubFake } from '../../../../test/code-hosts/github-fake.ts';
import { startAnotherNode } from '../../../../test/helpers/service/another-node.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { openRaw, rawRequest, sendRaw } from '../../../../test/helpers/service/raw-http.ts';
import { testSecrets } from '../../../../test/helpers/service/secrets.ts';
import { sealHostWebhookSecret } from '../connections/host-secrets.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const { acme, db, globex } = service;
const ours = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
const theirs = await connectHost(service, globex, 'github', (model) => startGitHubFake(model));
afterAll(() => Promise.all([ours.fake.close(), theirs.fake.close()]));
const api = await ours.repository('acme/api');
await theirs.repository('globex/api');

const payload = (fullName: string, number: number, more: object = {}) =>
  JSON.stringify({
    action: 'opened',
    number,
    pull_request: { number },
    repository: { full_name: fullName },
    ...more,
  });

const sign = (host: ConnectedHost, body: string, secret = HOOK_SECRET) =>
  signedGitHubDelivery('pull_request', body, { url: `/api/v2/code-hosts/${host.id}/webhook`, secret });

const send = (host: ConnectedHost, fullName: string, number: number) =>
  host.send(sign(host, payload(fullName, number)));

const sendTheirs = (from: number, count = 10) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(theirs, 'globex/api', from + index)));

const notedOf = async (host: ConnectedHost) =>
  (
    await db.selectFrom('pull_request_syncs').select('number').where('code_host_id', '=', host.id).execute()
  ).map(({ number }) => number);

const accepted = (count: number) => Array(count).fill(204);

/** Runs `meanwhile` while `hold` is done and not committed. */
async function whileHeld(
  hold: (transaction: Kysely<never>) => Promise<unknown>,
  meanwhile: () => Promise<void>,
) {
  await db.transaction().execute(async (transaction) => {
    await hold(transaction as never);
    await meanwhile();
  });
}

it('a name that PostgreSQL cannot store says nothing', async () => {
  const [odd, ...others] = await Promise.all([
    send(ours, 'acme/\u0000api', 1),
    ...Array.from({ length: 10 }, (_, index) => send(theirs, 'globex/api', 100 + index)),
  ]);
  expect(odd).toBe(204);
  expect(others).toEqual(accepted(10));
  expect(await notedOf(ours)).toEqual([]);
  expect(await notedOf(theirs)).toHaveLength(10);
});

it('a secret that cannot be opened affects only its own host', async () => {
  const broken = await connectHostWithBrokenSecret(service, acme, (model) => startGitHubFake(model));
  const [refused, others] = await Promise.all([send(broken, 'acme/api', 1), sendTheirs(200)]);
  expect(refused).toBe(500);
  expect(others).toEqual(accepted(10));
});

it('locked rows delay only their own host, which is told to retry', async () => {
  await send(ours, 'acme/api', 1);
  await whileHeld(
    (transaction) =>
      sql`UPDATE pull_request_syncs SET started_at = clock_timestamp() WHERE repository_id = ${api.id}`.execute(
        transaction,
      ),
    async () => {
      let isAnswered = false;
      const held = send(ours, 'acme/api', 1).finally(() => {
        isAnswered = true;
      });
      expect(await sendTheirs(300)).toEqual(accepted(10));
      expect(isAnswered).toBe(false);
      expect(await held).toBe(503);
    },
  );
  expect(await send(ours, 'acme/api', 1)).toBe(204);
});

it('webhooks of a host that is being disconnected neither fail nor delay others', async () => {
  const leaving = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
  await leaving.fake.close();
  await leaving.repository('acme/leaving');
  let held: Promise<number> | undefined;
  await whileHeld(
    (transaction) => sql`DELETE FROM code_hosts WHERE id = ${leaving.id}`.execute(transaction),
    async () => {
      held = send(leaving, 'acme/leaving', 1);
      expect(await sendTheirs(400)).toEqual(accepted(10));
    },
  );
  expect(await held).toBe(204);
});

it('bodies that are slow to parse delay only their own host', async () => {
  const slow = sign(ours, '['.repeat(500_000) + ']'.repeat(500_000));
  let areAnswered = false;
  const slowOnes = Promise.all(Array.from({ length: 6 }, () => ours.send(slow))).finally(() => {
    areAnswered = true;
  });
  let answeredMeanwhile = 0;
  while (!areAnswered) {
    expect(await sendTheirs(500, 1)).toEqual(accepted(1));
    if (!areAnswered) answeredMeanwhile += 1;
  }
  expect(await slowOnes).toEqual(accepted(6));
  // The first may have come before the slow ones, and the second with them.
  expect(answeredMeanwhile).toBeGreaterThan(2);
});

/** Connections that may send a large webhook and don't yet. */
const openLarge = (host: ConnectedHost, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const connection = await openRaw(service.url);
      const told = once(connection.socket, 'data');
      await connection.write(largeHead(host, { ...SIGNED, Expect: '100-continue' }));
      expect(String((await told)[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      return connection;
    }),
  );

const SIGNED = { 'X-Hub-Signature-256': 'sha256=0' };
const largeHead = (host: ConnectedHost, more: Record<string, string> = SIGNED) =>
  rawRequest(`POST /api/v2/code-hosts/${host.id}/webhook`, { 'Content-Length': '1800000', ...more });

it('bytes in flight have a limit for each host, beyond which large webhooks are refused before they are sent', async () => {
  const busy = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
  await busy.fake.close();
  const open = await openLarge(busy, 3);
  for (let count = 0; count < 5; count += 1) {
    const answer = await sendRaw(service.url, largeHead(busy));
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
  }
  expect(await send(busy, 'acme/api', 1)).toBe(204);
  expect(await theirs.send(sign(theirs, payload('globex/api', 2, { filler: 'x'.repeat(1_800_000) })))).toBe(
    204,
  );
  const lines = service.logLines.map((line) => JSON.parse(line));
  const refused = lines.filter(({ sender, status }) => status === 503 && sender?.includes(busy.id));
  expect(refused).toMatchObject([{ level: 'warn' }]);
  expect(lines.filter(({ err }) => err?.message.includes('bodies'))).toEqual([]);

  const closed = Promise.all(open.map(({ socket }) => once(socket, 'close')));
  for (const { socket } of open) socket.destroy();
  await closed;
  await vi.waitFor(async () => expect(await busy.send(largeSigned(busy, 3))).toBe(204), { timeout: 30_000 });
});

const largeSigned = (host: ConnectedHost, number: number) =>
  sign(host, payload('acme/api', number, { filler: 'x'.repeat(1_800_000) }));

it('a webhook without a signature is refused before it is sent', async () => {
  expect((await sendRaw(service.url, largeHead(ours, {}))).status).toBe(401);
});

it('what waits counts as in flight', async () => {
  await whileHeld(
    (transaction) =>
      sql`UPDATE pull_request_syncs SET started_at = clock_timestamp() WHERE repository_id = ${api.id}`.execute(
        transaction,
      ),
    async () => {
      const first = send(ours, 'acme/api', 1);
      const statuses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ours.send(largeSigned(ours, index))),
      );
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(17);
      expect(await first).toBe(503);
    },
  );
  expect(await sendTheirs(600)).toEqual(accepted(10));
});

it('forged signatures are limited for each host; then large bodies are refused unread, and small ones still checked', async () => {
  const limited = await startTestService({
    settings: { ALLOW_PRIVATE_ADDRESSES: 'true', RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: '2' },
  });
  const [one, other] = await Promise.all(
    [limited.acme, limited.globex].map((organization) =>
      connectHost(limited, organization, 'github', (model) => startGitHubFake(model)),
    ),
  );
  const forged = sign(one!, payload('acme/api', 1), 'a guess');
  expect([await one!.send(forged), await one!.send(forged)]).toEqual([401, 401]);
  const answer = await sendRaw(limited.url, largeHead(one!));
  expect(answer.status).toBe(429);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(await one!.send(forged)).toBe(429);
  expect(await one!.send(sign(one!, payload('acme/api', 1)))).toBe(204);
  expect(await other!.send(sign(other!, payload('globex/api', 1)))).toBe(204);
  await Promise.all([one!.fake.close(), other!.fake.close()]);
});

it('a new secret is accepted at once, here and on another node', async () => {
  const path = `/api/v2/code-hosts/${ours.id}/webhook`;
  const node = await startAnotherNode(service);
  const sendSigned = (secret: string) =>
    Promise.all(
      [service.url, node.url].map(async (url) => {
        const { body, headers } = signedGitHubDelivery('pull_request', payload('acme/api', 1), {
          url,
          secret,
        });
        return (await fetch(url + path, { method: 'POST', headers, body })).status;
      }),
    );
  const change = (secret: string) =>
    db
      .updateTable('code_hosts')
      .set({ webhook_secret: sealHostWebhookSecret(testSecrets, ours.id, secret) })
      .where('id', '=', ours.id)
      .execute();
  for (const [before, after] of [
    [HOOK_SECRET, 'second'],
    ['second', HOOK_SECRET],
  ] as const) {
    expect(await sendSigned(before)).toEqual([204, 204]);
    await change(after);
    expect(await sendSigned(after)).toEqual([204, 204]);
    expect(await sendSigned('a guess')).toEqual([401, 401]);
  }
});

it('forms with the payload in a field, and a byte order mark, are read', async () => {
  const form = sign(ours, new URLSearchParams({ payload: payload('acme/api', 41) }).toString());
  const headers = { ...form.headers, 'content-type': 'application/x-www-form-urlencoded' };
  expect(await ours.send({ ...form, headers })).toBe(204);
  expect(await ours.send(sign(ours, `\uFEFF${payload('acme/api', 42)}`))).toBe(204);
  expect(await notedOf(ours)).toEqual(expect.arrayContaining([41, 42]));
});
