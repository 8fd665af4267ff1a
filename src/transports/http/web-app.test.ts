/** The files of the web app: hints about what a page loads, and files that an update removed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';

const folder = temporaryFolder();
afterAll(cleanUp);
const MANIFEST = {
  'pages/pull-request.tsx': { file: 'assets/page.js', imports: ['_shared.js'], css: ['assets/page.css'] },
  '_shared.js': { file: 'assets/shared.js', imports: ['pages/pull-request.tsx', 'index.html'] },
  'index.html': { file: 'assets/index.js' },
};
for (const name of ['assets', '.vite']) mkdirSync(join(folder, name));
writeFileSync(join(folder, 'index.html'), '<title>App</title><script src="/assets/index.js">');
writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(MANIFEST));
writeFileSync(join(folder, 'assets', 'page.js'), 'export {};');

const service = await startTestService({ webAppFolder: folder });
const ID = '01a1e1b4-2cca-7520-a470-1f4bb34b86dd';

async function hintsOn(path: string, token: string = service.acme.viewer.token): Promise<string[]> {
  const reply = await fetch(service.url + path, { headers: { cookie: `countersign=${token}` } });
  const html = await reply.text();
  return [...html.matchAll(/<link [^>]*href="([^"]*)">/g)].map(([, address]) => address!);
}

it('hints at the code and the first data of a pull request', async () => {
  const code = ['/assets/page.js', '/assets/page.css', '/assets/shared.js'];
  const data = ['', '/discussions', '/files'].map((part) => `/api/v2/pull-requests/${ID}${part}`);
  expect(await hintsOn(`/pull-requests/${ID}?view=files`)).toEqual(['/api/v2/session', ...data, ...code]);
  expect(await hintsOn(`/pull-requests/${ID}`)).not.toContain(data[2]);
  expect(await hintsOn(`/pull-requests/${ID}?view=files&from=${'a'.repeat(40)}`)).not.toContain(data[2]);
  // Nothing of the address gets into the page unless it is an ID; without a session the page isn't shown.
  expect(await hintsOn('/pull-requests/%22%3E%3Cscript%3E')).toEqual(code);
  expect(await hintsOn(`/pull-requests/${ID}`, '')).toEqual([]);
  expect(await hintsOn('/plans')).toEqual([]);
});

it('does not find a file that an update removed', async () => {
  expect((await fetch(`${service.url}/assets/page.js`)).status).toBe(200);
  rmSync(join(folder, 'assets', 'page.js'));
  const reply = await fetch(`${service.url}/assets/page.js`);
  expect(reply.status).toBe(404);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(await reply.json()).toMatchObject({ code: 'not_found' });
});
