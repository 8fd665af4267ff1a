/** P11's own side, and that of the waiting agents: the service with a plan, comments, a repository, and many API keys. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { operations } from '../../src/operations.ts';
import { makeOrganization } from '../../test/helpers/service/factories.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';

const COMMENTS = 20;
const KEYS = 20;
const SOURCES = join(import.meta.dirname, '../../src');

const service = await startService(operations);
const { db, url } = service;
const { id: organizationId, member, owner } = await makeOrganization(db, 'Acme', new Date());

const gitDir = mkdtempSync(join(tmpdir(), 'countersign-bench-corpus-'));
const git = (...words: string[]) => {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, `--git-dir=${gitDir}`, ...words], { cwd: SOURCES });
};
git('init', '--quiet', '--bare', '--initial-branch=main');
git(`--work-tree=${SOURCES}`, 'add', '--force', '.');
git(`--work-tree=${SOURCES}`, 'commit', '--quiet', '--message', 'bench');
await indexCorpus(service, { name: 'acme/service', url: gitDir, organizationId });
rmSync(gitDir, { recursive: true });

async function post(path: string, body: unknown): Promise<Record<string, string>> {
  const headers = { 'x-api-key': member.key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, string>;
}
const seriesId = randomUUID();
const content = `# Bench\n\n${'A plan that says something. '.repeat(100)}`;
const { versionId } = await post('/api/v2/plans', { seriesKey: seriesId, content, agentVendor: 'codex' });
for (let index = 0; index < COMMENTS; index += 1) {
  await post(`/api/v2/plans/${seriesId}/comments`, { body: 'Is that so? '.repeat(10), versionId });
}

const keys = [];
for (let index = 0; index < KEYS; index += 1) {
  const by = operatorOf(organizationId, new Date());
  keys.push((await generateApiKey(db, member, `bench ${index}`, by)).secret);
}
service.announce({
  key: member.key,
  keys: keys.join(' '),
  seriesId,
  versionId: versionId!,
  session: owner.token,
});
