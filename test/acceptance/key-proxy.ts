/** A proxy that adds an API key, for programs that can't send one. */
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export async function startKeyProxy(url: string, key: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((request, reply) => {
    const headers = { ...request.headers, 'x-api-key': key };
    const onward = send({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.destroy());
    reply.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return address();
}
