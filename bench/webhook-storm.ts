/** P16: 500 webhooks of a code host each second while API keys read; how many reads are left, and how soon webhooks are answered. */
import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { githubWebhookExamples } from '../test/code-hosts/github-deliveries.ts';
import type { Measurement } from './measure.ts';
import { requestsPerSecond, type ServerProcess, startServer } from './processes.ts';

const PER_SECOND = 500;
const TICK_MS = 10;
const REPOSITORIES = 20;
const PULL_REQUESTS = 50;
const SECRET = randomBytes(16).toString('hex');
const MAX_P99_MS = 50;

interface Signed {
  headers: Record<string, string>;
  body: Buffer;
}

/** Published payloads about pull requests and pushes (about 20 KB each) with our names in them, signed. */
function sign(): Signed[] {
  const events = ['pull_request', 'pull_request_review', 'pull_request_review_comment', 'push'];
  const examples = githubWebhookExamples().filter(({ name }) => events.includes(name));
  return Array.from({ length: REPOSITORIES * PULL_REQUESTS }, (_, index) => {
    const { examples: all, name } = examples[index % examples.length]!;
    const example = all[index % all.length]!;
    const number = Math.floor(index / REPOSITORIES) + 1;
    const repository = { ...(example.repository as object), ...repositoryAt(index % REPOSITORIES) };
    const pull_request = example.pull_request && { ...(example.pull_request as object), number };
    const body = Buffer.from(JSON.stringify({ ...example, repository, pull_request }));
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-github-event': name,
        'x-hub-signature-256': `sha256=${signature}`,
      },
    };
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

/** Milliseconds from when each was due to be sent until its answer, sorted. */
async function storm(url: string, signed: Signed[], seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const took: number[] = [];
  const answers: Promise<void>[] = [];
  const send = ({ body, headers }: Signed, dueAt: number) =>
    new Promise<void>((resolve, reject) => {
      request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume().on('end', () => {
          took.push(performance.now() - dueAt);
          if (response.statusCode === 204) resolve();
          else reject(new Error(`A webhook was answered with ${response.statusCode}.`));
        });
      })
        .on('error', reject)
        .end(body);
    });
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
  agent.destroy();
  return took.sort((one, other) => one - other);
}

async function prepare() {
  const service = await startStormService();
  const { codeHostId, key, url } = service.ready as Record<string, string>;
  const signed = sign();
  const webhookUrl = `${url}/api/v2/code-hosts/${codeHostId}/webhook`;
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
