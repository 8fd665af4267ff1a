/** The planner events that a running service has stored, read directly from its database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRunningService, withConnection } from '../../../src/platform/db/index.ts';

/** Every event in the database of the running service, each with its session. */
export async function storedEvents(cwd: string): Promise<string[]> {
  const running = await readRunningService(join(cwd, 'data'));
  const { passwordFile, ...server } = running!.database!;
  const password = readFileSync(passwordFile, 'utf8').trim();
  return withConnection({ ...server, password, ssl: false }, async (client) => {
    const { rows } = await client.query<{ event_type: string }>(
      `SELECT e.event_type FROM planner_events e
       JOIN planner_sessions s ON s.organization_id = e.organization_id AND s.id = e.session_id`,
    );
    return rows.map((row) => row.event_type);
  });
}
