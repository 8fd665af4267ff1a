/** A node with event streams is killed and restarted while others write: no event is lost or repeated. */
import { afterAll, expect, it } from 'vitest';
import { urlOf } from '../../helpers/database/database.ts';
import { type Running, startCountersign } from '../../helpers/processes/countersign-process.ts';
import { cleanUp } from '../../helpers/processes/real-processes.ts';
import { postComment, postPlan } from '../../helpers/rows/plans.ts';
import { startTestService } from '../../helpers/service/harness.ts';

const RESTARTS = 3;
const COMMENTS = 60;

const service = await startTestService();
const { acme } = service;
afterAll(cleanUp);

async function startNode(): Promise<{ node: Running; url: string }> {
  const env = {
    DATABASE_URL: urlOf(service.connection),
    ROLES: 'web',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  };
  const node = startCountersign(['serve'], { env });
  const [, url] = await node.until(/ready at (\S+)/);
  return { node, url: url! };
}

it('event streams of a killed node resume on its replacement', async () => {
  const { body: plan } = await postPlan(service, acme.member);
  let place = await startNode();
  const seen: number[] = [];
  const last = COMMENTS + 1;
  let connected = Promise.withResolvers<void>();

  /** Like a browser: reads until the connection breaks, then reconnects with the last id it saw. */
  const following = (async () => {
    while ((seen.at(-1) ?? 0) < last) {
      try {
        const response = await fetch(`${place.url}/api/v2/plans/${plan.seriesId}/events?since=0`, {
          headers: {
            cookie: `countersign=${acme.member.token}`,
            ...(seen.length > 0 && { 'last-event-id': String(seen.at(-1)) }),
          },
        });
        connected.resolve();
        let text = '';
        for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
          text += piece;
          const whole = text.split('\n\n');
          text = whole.pop()!;
          for (const event of whole) {
            const id = /^id: (\d+)$/m.exec(event)?.[1];
            if (id) seen.push(Number(id));
          }
          if ((seen.at(-1) ?? 0) >= last) return;
        }
      } catch {
        // The node was killed; the next round finds the new one.
        await new Promise(setImmediate);
      }
    }
  })();

  for (let written = 0; written < COMMENTS; written += 1) {
    if (written > 0 && written % (COMMENTS / (RESTARTS + 1)) === 0) {
      await connected.promise;
      place.node.child.kill('SIGKILL');
      await place.node.ended;
      await postComment(service, acme.admin, plan);
      written += 1;
      connected = Promise.withResolvers();
      place = await startNode();
    }
    await postComment(service, acme.admin, plan);
  }
  await following;
  place.node.child.kill('SIGTERM');
  await place.node.ended;
  expect(seen).toEqual(Array.from({ length: last }, (_, index) => index + 1));
});
