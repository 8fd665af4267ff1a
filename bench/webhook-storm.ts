/** P16: 500 webhooks of a code host each second while API keys read; how many reads are left, and how soon webhooks are answered. */
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { githubWebhookExamples } from '../test/code-hosts/github-deliveries.ts';
import type { Measurement } from './measure.ts';
import { requestsPerSecond, type ServerProcess, startServer } from './processes.ts';

const PER_SECOND = 500;
const TICK_MS = 10;
const CONNECTIONS = 64;
const REPOSITORIES = 20;
const PULL_REQUESTS = 50;
const SECRET = randomBytes(16).toString('hex');
const MAX_P99_MS = 50;

/** Requests with published payloads about pull requests and pushes (about 20 KB each), with our names in them, signed. */
function sign({ host, pathname }: URL): Buffer[] {
  const events = ['pull_request', 'pull_request_review', 'pull_request_review_comment', 'push'];
  const examples = githubWebhookExamples().filter(({ name }) => events.includes(name));
  return Array.from({ length: REPOSITORIES * PULL_REQUESTS }, (_, index) => {
    const { examples: all, name } = examples[index % examples.length]!;
    const example = all[index % all.length]!;
    const number = Math.floor(index / REPOSITORIES) + 1;
    const repository = { ...(example.repository as object), ...repositoryAt(index % REPOSITORIES) };
    const pull_request = example.pull_request && { ...(example.pull_request as object), number };
    const body = Buffer.from(JSON.stringify({ ...example, repository, pull_request }));
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-GitHub-Event: ${name}`,
      `X-Hub-Signature-256: sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
  });
}

const repositoryAt = (index: number) => ({ id: 1000 + index, full_name: `acme/repository-${index}` });

/** The host's limit is used up, as it would be soon: what the webhooks ask for stays due. */
function startStormService(): Promise<ServerProcess> {
  const repositories = Array.from({ length: REPOSITORIES }, (_, index) => ({
    id: String(repositoryAt(index).id),
    fullName: repositoryAt(index).full_name,
    url: null,
  }));
  return startServer('code-host.ts', {
    HOST_KIND: 'github',
    HOST_URL: 'http://127.0.0.1:9',
    HOST_TOKEN: 'none',
    HOST_PAUSED: 'yes',
    WEBHOOK_SECRET: SECRET,
    REPOSITORIES: JSON.stringify(repositories),
  });
}

/**
 * Milliseconds from when each was due to be sent until its answer, sorted. Requests are made of bytes beforehand and written to open
 * connections, because sending them takes its share of the same cores.
 */
async function storm(url: URL, signed: Buffer[], seconds: number): Promise<number[]> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectTo(url)));
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  const took: number[] = [];
  const answers: Promise<void>[] = [];
  const send = async (request: Buffer, dueAt: number) => {
    const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
    await connection.send(request);
    took.push(performance.now() - dueAt);
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  };
  const started = performance.now();
  const total = PER_SECOND * seconds;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - started) * PER_SECOND) / 1000));
      while (answers.length < due) {
        const dueAt = started + (answers.length * 1000) / PER_SECOND;
        answers.push(send(signed[answers.length % signed.length]!, dueAt));
      }
      if (answers.length < total) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(answers);
  for (const { end } of connections) end();
  return took.sort((one, other) => one - other);
}

interface Connection {
  /** Resolves with the answer, which must be a 204. */
  send(request: Buffer): Promise<void>;
  end(): void;
}

async function connectTo({ hostname, port }: URL): Promise<Connection> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let answer: PromiseWithResolvers<void> | undefined;
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    if (!received.includes('\r\n\r\n')) return;
    if (received.startsWith('HTTP/1.1 204 ')) answer!.resolve();
    else answer!.reject(new Error(`A webhook was answered with ${received.split('\r\n')[0]}.`));
    received = '';
  });
  const failed = () => answer?.reject(new Error('The service closed a connection.'));
  socket.on('error', failed).on('close', failed);
  return {
    send(request) {
      answer = Promise.withResolvers<void>();
      socket.write(request);
      return answer.promise;
    },
    end: () => socket.destroy(),
  };
}

async function prepare() {
  const service = await startStormService();
  const { codeHostId, key, url } = service.ready as Record<string, string>;
  const webhookUrl = new URL(`/api/v2/code-hosts/${codeHostId}/webhook`, url);
  const signed = sign(webhookUrl);
  const read = (seconds: number) =>
    requestsPerSecond({
      url: `${url}/api/v2/sample`,
      headers: { 'x-api-key': key! },
      connections: 16,
      seconds,
    });
  await storm(webhookUrl, signed, 1);
  await read(1);
  return { service, read, storm: (seconds: number) => storm(webhookUrl, signed, seconds) };
}

export const webhookStorm: Measurement[] = [
  {
    id: 'P16',
    what: 'keyed reads during 500 webhooks/s',
    unit: 'requests/s',
    referenceName: 'without webhooks',
    target: { least: 0.8 },
    rounds: 5,
    async prepare() {
      const { read, service, storm: start } = await prepare();
      return {
        ours: async () => (await Promise.all([read(4), start(4)]))[0],
        reference: () => read(4),
        end: () => service.stop(),
      };
    },
  },
  {
    id: 'P16',
    what: 'webhooks during keyed reads, p99 of 500/s for 20 s',
    unit: 'ms',
    referenceName: 'limit',
    target: { most: 1 },
    rounds: 1,
    async prepare() {
      const { read, service, storm: start } = await prepare();
      return {
        async ours() {
          const [took] = await Promise.all([start(20), read(20)]);
          return took[Math.floor(took.length * 0.99)]!;
        },
        reference: async () => MAX_P99_MS,
        end: () => service.stop(),
      };
    },
  },
];
