/** The service that `countersign init` set up for this user: its address and a key, in a file that only they can read. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config, Environment } from '../../config.ts';

const SavedService = z.object({
  url: z.string(),
  key: z.string(),
  /** The data folder of the service, if `init` created it. */
  dataDir: z.string().optional(),
  /** The agents that were told about it. */
  agents: z.array(z.string()).default([]),
});
export type SavedService = z.infer<typeof SavedService>;

function fileOf({ HOME, XDG_CONFIG_HOME }: Environment): string {
  return join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'countersign', 'service.json');
}

/** Undefined if there is none, or the file was damaged. */
export async function readSavedService(environment: Environment): Promise<SavedService | undefined> {
  try {
    return SavedService.parse(JSON.parse(await readFile(fileOf(environment), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Uses the database that `init` created, unless the settings or this folder name another one. */
export async function inSavedFolder(config: Config, environment: Environment): Promise<Config> {
  if (environment.DATA_DIR || environment.DATABASE_URL) return config;
  const { dataDir } = (await readSavedService(environment)) ?? {};
  if (dataDir === undefined) return config;
  // Loaded only now: most commands in CI need no database.
  const { hasEmbeddedDatabase } = await import('../../platform/db/index.ts');
  if (hasEmbeddedDatabase(config.dataDir) || !hasEmbeddedDatabase(dataDir)) return config;
  return withDataDir(config, environment, dataDir);
}

/** The settings as they would be with this DATA_DIR. */
export function withDataDir(config: Config, { SECRET_FILE }: Environment, dataDir: string): Config {
  return { ...config, dataDir, secretFile: SECRET_FILE ? config.secretFile : join(dataDir, 'secret.key') };
}

export async function saveService(environment: Environment, service: SavedService): Promise<void> {
  const file = fileOf(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export function forgetService(environment: Environment): Promise<void> {
  return rm(fileOf(environment), { force: true });
}
