/** FLOOD's reference: a bare server that reads every body, drops it and answers. */
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((message, response) => {
  message.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  writeSync(3, `${JSON.stringify({ ready: { url: `http://127.0.0.1:${port}` } })}\n`);
});
process.on('SIGTERM', () => process.exit());
