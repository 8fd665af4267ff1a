/** When statuses that a webhook named are read. */
import { sql } from 'kysely';

/** CI reports in bursts: what it says is read this often at most. */
const STATUSES_EVERY_SECONDS = 15;
export const statusesDueAt = (startedAt: ReturnType<typeof sql>) =>
  sql<Date>`greatest(clock_timestamp(), ${startedAt} + make_interval(secs => ${sql.lit(STATUSES_EVERY_SECONDS)}))`;
