/** FLOOD's load, in a process of its own: 20 connections that send 1.8 MB over and over to the URL in FLOOD_URL, until it is ended. */
import { createHmac, randomUUID } from 'node:crypto';
import { connect } from 'node:net';

const { FLOOD_KIND, FLOOD_SECRET, FLOOD_URL } = process.env as Record<string, string>;
const CONNECTIONS = 20;
/** Far more than are answered in the time; it must not run forever. */
const MAX_REQUESTS = 100_000;
const MAX_MS = 60_000;

const body = Buffer.from('['.repeat(900_000) + ']'.repeat(900_000));
const url = new URL(FLOOD_URL!);
const secret = FLOOD_KIND === 'forged signature' ? 'a guess' : FLOOD_SECRET!;
const signature = createHmac('sha256', secret).update(body).digest('hex');
let requests = 0;

function head(): string {
  const path = FLOOD_KIND === 'random host id' ? `/api/v2/code-hosts/${randomUUID()}/webhook` : url.pathname;
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'X-GitHub-Event: pull_request',
    `X-Hub-Signature-256: sha256=${signature}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** As a client does: the next request follows the reply, over the same connection unless it was closed. */
function flood(): void {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  const send = () => {
    requests += 1;
    if (requests > MAX_REQUESTS) process.exit();
    socket.write(head());
    socket.write(body);
  };
  socket.on('connect', send);
  socket.on('data', (bytes) => {
    if (bytes.includes('HTTP/1.1 ') && !/connection: close/i.test(bytes.toString('latin1'))) send();
  });
  socket.on('end', () => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('close', flood);
}

for (let count = 0; count < CONNECTIONS; count += 1) flood();
setTimeout(() => process.exit(), MAX_MS).unref();
