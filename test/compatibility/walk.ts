/** One walk through everything the service can do, always in the same order, against a real service, real git and a real MCP client. */

import { afterAll } from 'vitest';
import { makeRepository } from '../helpers/git/git-fixtures.ts';
import { addRepository } from '../helpers/rows/code.ts';
import { startReceiver } from '../helpers/servers/webhook-receiver.ts';
import { startTestService } from '../helpers/service/harness.ts';
import type { Places } from './placeholders.ts';
import { createRecorder } from './recorder.ts';
import { walkCode } from './walk-code.ts';
import {
  walkConnections,
  walkEnd,
  walkPeople,
  walkSettings,
  walkSetUp,
  walkTeams,
} from './walk-organization.ts';
import { walkLinks, walkPlans } from './walk-plans.ts';
import { walkPullRequests, walkReviewers } from './walk-pull-requests.ts';
import { walkTools } from './walk-tools.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const FILES = {
  'README.md': '# Shop\n\nA shop for books.\n',
  'logo.png': PIXEL,
  'package.json': '{"name": "shop", "dependencies": {"express": "1.0.0"}}\n',
  'src/routes.ts': "import express from 'express';\nconst app = express();\napp.get('/carts', show);\n",
  'src/money.ts': 'export const format = (sum: number) => sum.toFixed(2);\n',
  'src/cart.ts': "import { format } from './money.ts';\nexport const show = () => format(1);\n",
};
const SERIES = '11111111-1111-4111-8111-111111111111';

export async function walk() {
  const service = await startTestService({
    worker: true,
    settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
  });
  const empty = await startTestService();
  const receiver = await startReceiver();
  afterAll(() => receiver.close());
  const repository = await addRepository(service, FILES, { fullName: 'acme/shop' });
  const other = await makeRepository({ 'README.md': '# Books\n' });
  afterAll(() => other.remove());
  const main = await repository.git('rev-parse', 'main');
  await repository.commit(
    { 'src/money.ts': 'export const taxes = 19;\n' },
    { branch: 'feature', from: main, message: 'Remove format' },
  );
  // A branch that was there once: its commit stays readable.
  const vendor = { submodule: '1'.repeat(40) };
  const withSubmodule = await repository.commit({ vendor }, { branch: 'vendor', from: main });
  await repository.refresh();
  await repository.git('update-ref', '-d', 'refs/heads/vendor');
  await repository.refresh();
  const places: Places = {
    literals: [
      ...[service.acme, service.globex].flatMap(({ id, name, ...people }) => [
        [id, `<${name}>`] as [string, string],
        ...Object.values(people).map(({ userId, name: who }) => [userId, `<${who}>`] as [string, string]),
      ]),
      ...[service, empty].map(({ url }) => [url, '<service>'] as [string, string]),
      [receiver.url, '<receiver>'],
      [other.folder, '<other folder>'],
      [repository.folder, '<folder>'],
    ],
  };
  const recorder = createRecorder(service, {
    ...{ repository: repository.fullName, repositoryId: repository.id },
    ...{ branch: 'feature', head: 'feature', pattern: 'format', keywords: ['shop'], path: 'src/cart.ts' },
    ...{ title: 'Remove', body: 'Why?', note: 'Done.', paths: [], userIds: [service.acme.member.userId] },
    ...{ seriesKey: SERIES, seriesId: SERIES, agentVendor: 'claude-code', prNumber: 1 },
    ...{ content: '# Pay\n\nPay by invoice.\n', version: 1, waitSeconds: 0, viewed: true, enabled: true },
    ...{ sessionId: '22222222-2222-4222-8222-222222222222', eventType: 'planner_session_started' },
    ...{ key: 'generate_description', scope: 'repository', email: 'new@acme.example', role: 'viewer' },
    ...{ receiver: receiver.url, folder: other.folder, withSubmodule },
  });
  const [end] = await Promise.allSettled([steps()]);
  return { end: end!, places, recordings: recorder.recordings };

  async function steps(): Promise<string[]> {
    await walkCode(recorder);
    await walkPlans(recorder);
    await walkPullRequests(recorder);
    await walkLinks(recorder);
    await walkReviewers(recorder);
    const tools = await walkTools(recorder);
    await walkTeams(recorder);
    await walkSettings(recorder);
    await walkPeople(recorder);
    await walkConnections(recorder);
    await walkEnd(recorder);
    await walkSetUp(createRecorder(empty, {}, recorder.recordings));
    return tools;
  }
}
