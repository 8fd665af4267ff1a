/** Before the first browser test: finds a browser and builds the current web app into a folder that no later build changes. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildWebApp, WEB_APP_FOLDER } from '../../src/build-web-app.ts';
import { findBrowser } from './find-browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserPath: string;
    webAppFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tell = (line: string) => void process.stderr.write(`${line}\n`);
  project.provide('browserPath', findBrowser(tell));
  await buildWebApp(tell);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-web-'));
  await cp(WEB_APP_FOLDER, folder, { recursive: true });
  project.provide('webAppFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
