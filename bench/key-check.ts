/** P1: a read with an API key and everything the service does for it, compared with a bare Fastify app that sends the same bytes. */
import type { Measurement } from './measure.ts';
import { requestsPerSecond, startServer } from './processes.ts';

const LOAD = { connections: 64, seconds: 4 };

export const keyCheck: Measurement = {
  id: 'P1',
  what: 'keyed read, 64 connections',
  unit: 'requests/s',
  referenceName: 'bare Fastify',
  target: { least: 0.5 },
  rounds: 5,
  async prepare() {
    const bare = await startServer('bare-fastify.ts');
    const service = await startServer('countersign.ts');
    const reference = () => requestsPerSecond({ ...LOAD, url: `${bare.ready.url}/api/v2/sample` });
    const ours = () =>
      requestsPerSecond({
        ...LOAD,
        url: `${service.ready.url}/api/v2/sample`,
        headers: { 'x-api-key': service.ready.key! },
      });
    await reference();
    await ours();
    return {
      reference,
      ours,
      async end() {
        await bare.stop();
        await service.stop();
      },
    };
  },
};
