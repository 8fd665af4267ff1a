/** A proxy like those in production: round robin, checks `/readyz`, and retries a request only if no node received it. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isReady } from './nodes.ts';

const CHECK_EVERY_MS = 200;
const HTTP_BAD_GATEWAY = 502;

export async function balance(targets: () => string[]): Promise<{ url: string; close(): Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  let ready = targets();
  let turn = 0;
  const timer = setInterval(async () => {
    const found = await Promise.all(targets().map(async (url) => ((await isReady(url)) ? [url] : [])));
    ready = found.flat();
  }, CHECK_EVERY_MS);

  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, left: number): void => {
    turn += 1;
    const target = ready[turn % ready.length];
    const fail = (inFlight: boolean) => {
      if (response.headersSent) response.destroy();
      else
        response.writeHead(HTTP_BAD_GATEWAY, { 'x-in-flight': inFlight ? 'yes' : 'no' }).end('Bad gateway');
    };
    if (target === undefined) {
      fail(false);
      return;
    }
    const { method, url, headers } = incoming;
    let received = false;
    const outgoing = request(`${target}${url}`, { method, headers, agent }, (reply) => {
      received = true;
      response.writeHead(reply.statusCode!, reply.headers);
      reply.on('error', () => response.destroy());
      reply.pipe(response);
    });
    outgoing.on('error', (error) => {
      ready = ready.filter((one) => one !== target);
      // Nothing listens there, so no node saw the request and another can take it.
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (!received && isRefused && left > 0) forward(incoming, body, response, left - 1);
      else fail(true);
    });
    outgoing.end(body);
  };

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    forward(incoming, Buffer.concat(chunks), response, targets().length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
