/** Reads the configuration of reviews. Requests of one reader that arrive together share the queries: CI asks often. */
import type { z } from 'zod';
import { hasRole } from '../../platform/core/operations/actor.ts';
import { Batch } from '../../platform/core/work/batch.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Reader } from '../repositories/index.ts';
import type { ReviewerConfig } from './contract.ts';
import { selectExcludedConfig } from './excluded-path-store.ts';
import { presentConfig } from './present-setting.ts';
import { namesIn } from './read-settings.ts';
import { selectSettings } from './setting-store.ts';

type Config = z.input<typeof ReviewerConfig>;

/** One reader a query, so that a slow one delays no other. */
const BATCH_LIMITS = { queriesAtOnce: 8, keysPerQuery: 1 };

export interface ConfigReader {
  read(reader: Reader): Promise<Config>;
}

export function createConfigReader({ db }: { db: Db }): ConfigReader {
  const batch = new Batch<string, Config>((keys) => readEach(db, keys), BATCH_LIMITS);
  return { read: async (reader) => (await batch.get(keyOf(reader)))! };
}

/** Admins of an organization all see the same. */
function keyOf({ organizationId, role, userId }: Reader): string {
  return JSON.stringify(
    hasRole(role, 'admin') ? { organizationId, userId: '', role: 'admin' } : { organizationId, userId, role },
  );
}

async function readEach(db: Db, keys: string[]): Promise<Map<string, Config>> {
  const read = keys.map(async (key) => [key, await readOne(db, JSON.parse(key) as Reader)] as const);
  return new Map(await Promise.all(read));
}

async function readOne(db: Db, reader: Reader): Promise<Config> {
  const [settings, excluded] = await Promise.all([
    selectSettings(db, reader.organizationId),
    selectExcludedConfig(db, reader),
  ]);
  return presentConfig(settings, await namesIn(db, reader, settings), excluded);
}
