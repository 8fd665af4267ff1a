/** P14: the cost of one of each request with a million plans, comments and events, compared with a thousand of each. */
import { randomUUID } from 'node:crypto';
import { type Measurement, median } from './measure.ts';
import { startServer } from './processes.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const REPEATS = 60;

type Ready = Record<string, string>;
type Request = (ready: Ready) => { method: string; path: string; body?: unknown; session?: boolean };

const REQUESTS: Record<string, Request> = {
  'post a comment': ({ busySeries, busyVersion }) => ({
    method: 'POST',
    path: `/api/v2/plans/${busySeries}/comments`,
    body: { body: 'Is that so?', versionId: busyVersion },
  }),
  'list comments': ({ quietSeries }) => ({ method: 'GET', path: `/api/v2/plans/${quietSeries}/comments` }),
  'post a plan': () => ({
    method: 'POST',
    path: '/api/v2/plans',
    body: {
      seriesKey: randomUUID(),
      content: '# New plan\n\nWith some words.',
      agentVendor: 'codex',
      repoNames: ['acme/measured'],
    },
  }),
  'post a version': ({ quietSeries }) => ({
    method: 'POST',
    path: '/api/v2/plans',
    body: { seriesKey: quietSeries, content: `# Version ${randomUUID()}`, agentVendor: 'codex' },
  }),
  'link a pull request': ({ quietSeries }) => ({
    method: 'POST',
    path: `/api/v2/plans/${quietSeries}/pull-requests`,
    body: { prNumber: 1 },
  }),
  'record an event': ({ busySeries }) => ({
    method: 'POST',
    path: '/api/v2/mcp-sessions/events',
    body: { sessionId: busySeries, eventType: 'planner_tool_called' },
  }),
  'list plans': () => ({ method: 'GET', path: '/api/v2/plans', session: true }),
  'list approved plans': () => ({ method: 'GET', path: '/api/v2/plans?status=approved', session: true }),
  'search plans': () => ({ method: 'GET', path: '/api/v2/plans?search=everybody', session: true }),
  'get a plan': ({ quietSeries }) => ({ method: 'GET', path: `/api/v2/plans/${quietSeries}`, session: true }),
  'list threads': ({ busySeries }) => ({
    method: 'GET',
    path: `/api/v2/plans/${busySeries}/threads`,
    session: true,
  }),
  'list activity': ({ busySeries }) => ({
    method: 'GET',
    path: `/api/v2/plans/${busySeries}/activity`,
    session: true,
  }),
};

/** The sum of the medians of each kind of request, in milliseconds. */
async function reading(ready: Ready, tell: Map<string, number[]>): Promise<number> {
  let sum = 0;
  for (const [name, make] of Object.entries(REQUESTS)) {
    const times: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const { body, method, path, session } = make(ready);
      const credential: Record<string, string> = session
        ? { cookie: `countersign=${ready.token}` }
        : { 'x-api-key': ready.key! };
      const started = performance.now();
      const response = await fetch(ready.url + path, {
        method,
        headers: { ...credential, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      await response.arrayBuffer();
      times.push(performance.now() - started);
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
    }
    tell.set(name, [...(tell.get(name) ?? []), median(times)]);
    sum += median(times);
  }
  return sum;
}

export const growth: Measurement = {
  id: 'P14',
  what: 'one of each request, 10⁶ rows',
  unit: 'ms',
  referenceName: '10³ rows',
  target: { most: 1.3 },
  rounds: 5,
  async prepare() {
    const few = await startServer('grown.ts', { ROWS: String(FEW) });
    const many = await startServer('grown.ts', { ROWS: String(MANY) });
    const told = { few: new Map<string, number[]>(), many: new Map<string, number[]>() };
    await reading(few.ready, new Map());
    await reading(many.ready, new Map());
    return {
      reference: () => reading(few.ready, told.few),
      ours: () => reading(many.ready, told.many),
      async end() {
        for (const name of Object.keys(REQUESTS)) {
          const [small, large] = [median(told.few.get(name) ?? [0]), median(told.many.get(name) ?? [0])];
          const line = `P14 ${name}: ${large.toFixed(2)} ms against ${small.toFixed(2)} ms, ${(large / small).toFixed(2)}`;
          process.stderr.write(`${line}\n`);
        }
        await few.stop();
        await many.stop();
      },
    };
  },
};
