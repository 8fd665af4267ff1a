/** Mirrors for tests, in a folder that is removed after the test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createNodeCode, type NodeCode } from '../../../src/features/mirrors/index.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { testSecrets } from '../service/secrets.ts';

type Services = Parameters<typeof createNodeCode>[0];

const started: NodeCode[] = [];
const folders: string[] = [];
// Registered here because tests may also create mirrors themselves.
afterAll(async () => {
  await Promise.all(started.map((mirrors) => mirrors.close()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Local repositories are allowed by default. */
export function startTestMirrors(
  services: Pick<Services, 'db'> &
    Partial<Omit<Services, 'settings'>> & { settings?: Partial<Services['settings']> },
): NodeCode {
  const dataDir = services.settings?.dataDir ?? temporaryDataDir();
  const mirrors = createNodeCode({
    secrets: testSecrets,
    log: createLog({ level: 'silent', terminal: false }),
    announce: () => undefined,
    // Facts are extracted when a test asks for them.
    extract: async () => undefined,
    ...services,
    settings: {
      allowLocalRepositories: true,
      allowPrivateAddresses: true,
      repositoryRefreshSeconds: 300,
      indexDiskBytes: 10_000_000_000,
      searchTimeoutMs: 10_000,
      searchLimits: {
        maxRunning: 4,
        maxRunningPerCredential: 2,
        maxWaiting: 1000,
        maxWaitingPerCredential: 50,
      },
      ...services.settings,
      dataDir,
    },
  });
  started.push(mirrors);
  return mirrors;
}

/** A data folder that is removed when the test file ends. */
export function temporaryDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cs-data-'));
  folders.push(folder);
  return folder;
}
