/** Webhooks read in a thread say the same as those read at once, each for itself. */
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { githubWebhookExamples, signedGitHubDelivery } from '../../../test/code-hosts/github-deliveries.ts';
import { type ReceivedWebhook, readWebhooks } from './read-webhooks.ts';
import { WebhookWork } from './webhook-work.ts';

const SECRET = 'a shared secret';
const examples = githubWebhookExamples().flatMap(({ examples: all, name }) =>
  all.map((example) => ({ name, body: JSON.stringify(example) })),
);

/** Every third one is signed with another secret. */
function received(count: number): ReceivedWebhook[] {
  return Array.from({ length: count }, (_, index) => {
    const { body, name } = examples[index % examples.length]!;
    const secret = index % 3 === 2 ? 'a guess' : SECRET;
    const { headers } = signedGitHubDelivery(name, body, { url: '', secret });
    return { kind: 'github', secret: SECRET, headers, body: Buffer.from(body) };
  });
}

it('reads one, a few and many alike', async () => {
  const work = new WebhookWork();
  for (const count of [1, 3, 4, 200, 2]) {
    const webhooks = received(count);
    const read = await work.read(webhooks);
    expect(read).toEqual(readWebhooks(webhooks));
    expect(read.map((changes) => changes !== null)).toEqual(webhooks.map((_, index) => index % 3 !== 2));
  }
});

it('reads what is cut out of a larger buffer', async () => {
  const webhooks = received(12);
  const sizes = webhooks.map(({ body }) => body.length);
  const all = Buffer.concat(webhooks.map(({ body }) => body));
  let end = 0;
  const cut = webhooks.map((webhook, index) => {
    end += sizes[index]!;
    return { ...webhook, body: all.subarray(end - sizes[index]!, end) };
  });
  expect(await new WebhookWork().read(cut)).toEqual(readWebhooks(webhooks));
});

it('reads them again if the thread ends, and takes turns', async () => {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker) => void workers.push(worker);
  process.on('worker', onWorker);
  const work = new WebhookWork();
  const webhooks = received(200);
  const expected = readWebhooks(webhooks);
  await work.read(webhooks);
  await workers[0]!.terminate();
  expect(await work.read(webhooks)).toEqual(expected);
  const together = [work.read(webhooks), work.read(webhooks.slice(0, 50))];
  const ended = workers[1]!.terminate();
  expect(await Promise.all(together)).toEqual([expected, expected.slice(0, 50)]);
  await ended;
  process.off('worker', onWorker);
});
