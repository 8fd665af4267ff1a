/** The metrics at /metrics, in Prometheus format: requests by operation and status, connection pool, code searches, open waits, disk, jobs, process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from './transports/http/index.ts';

/** The metrics can be public, so the database is queried at most this often. */
const JOBS_EVERY_MS = 5000;
const JOBS_WITHIN_MS = 1000;

interface JobCounts {
  name: string;
  waiting: number;
  running: number;
  failing: number;
  /** How long the oldest due job has waited. */
  waitedSeconds: number;
}

export function createMetrics(load: {
  pool(): { total: number; idle: number; waiting: number };
  searches(): { running: number; waiting: number };
  waits(): number;
  /** Undefined if the file system doesn't report it. */
  freeBytes(): Promise<number | undefined>;
  jobs(): Promise<JobCounts[]>;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Request duration by operation and status. Those that waited for changes, such as wait_for_review and event streams, have waiting="true".',
    labelNames: ['operation', 'status', 'waiting'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'countersign_database_connections',
    help: 'Database connections in the pool, and requests waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = load.pool();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'countersign_code_searches',
    help: 'Code searches running and queued.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { running, waiting } = load.searches();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'countersign_open_waits',
    help: 'Agents and pages waiting for changes to plans and repositories.',
    registers: [registry],
    collect() {
      this.set(load.waits());
    },
  });
  new Gauge({
    name: 'countersign_data_folder_free_bytes',
    help: 'Free disk space of the data folder of this node.',
    registers: [registry],
    async collect() {
      const free = await load.freeBytes();
      if (free === undefined) this.reset();
      else this.set(free);
    },
  });
  const jobs = new Gauge({
    name: 'countersign_jobs',
    help: 'Background jobs of all nodes, by kind and state. Every node reports the same.',
    labelNames: ['kind', 'state'],
    registers: [registry],
  });
  const lag = new Gauge({
    name: 'countersign_job_lag_seconds',
    help: 'How long the oldest due job of a kind has waited. Every node reports the same.',
    labelNames: ['kind'],
    registers: [registry],
  });
  /** Without jobs while the database is down or slow, when the other metrics matter most. */
  const collectJobs = async () => {
    const counts = await Promise.race([
      load.jobs().catch(() => []),
      sleep(JOBS_WITHIN_MS, [], { ref: false }),
    ]);
    for (const gauge of [jobs, lag]) gauge.reset();
    for (const { failing, name, running, waitedSeconds, waiting } of counts) {
      jobs.set({ kind: name, state: 'waiting' }, waiting);
      jobs.set({ kind: name, state: 'running' }, running);
      jobs.set({ kind: name, state: 'failing' }, failing);
      lag.set({ kind: name }, waitedSeconds);
    }
  };
  let jobsAt = Number.NEGATIVE_INFINITY;
  let collecting = Promise.resolve();
  const refreshJobs = () => {
    if (performance.now() - jobsAt >= JOBS_EVERY_MS) {
      jobsAt = performance.now();
      collecting = collectJobs();
    }
    return collecting;
  };
  // Looking up a series by its labels costs more than observing, so each is looked up once.
  const series = new Map<string, { observe(seconds: number): void }>();
  return {
    observeRequest({ operation, status, waiting }, seconds) {
      const name = `${operation} ${status} ${waiting}`;
      let found = series.get(name);
      if (!found) {
        found = requests.labels({ operation, status, waiting: String(waiting) });
        series.set(name, found);
      }
      found.observe(seconds);
    },
    async render() {
      await refreshJobs();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
