/** P2: comments on one plan, durable, with key check, events and feed, compared with one bare INSERT per request. */
import type { Measurement } from './measure.ts';
import { requestsPerSecond, startServer } from './processes.ts';

const LOAD = { connections: 16, seconds: 4 };

export const postComments: Measurement = {
  id: 'P2',
  what: 'post a comment, 16 connections',
  unit: 'requests/s',
  referenceName: 'bare INSERT',
  target: { least: 0.5 },
  rounds: 5,
  async prepare() {
    const service = await startServer('comments.ts');
    const { connection, key, seriesId, url, versionId } = service.ready as Record<string, string>;
    const bare = await startServer('bare-insert.ts', { CONNECTION: connection! });
    const post = { body: JSON.stringify({ body: 'Is that so? '.repeat(10), versionId }) };
    const reference = () => requestsPerSecond({ ...LOAD, ...post, url: `${bare.ready.url}/comments` });
    const ours = () =>
      requestsPerSecond({
        ...LOAD,
        ...post,
        url: `${url}/api/v2/plans/${seriesId}/comments`,
        headers: { 'x-api-key': key! },
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
