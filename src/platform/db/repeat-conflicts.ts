/** Starts again what PostgreSQL ended because of a concurrent transaction. */
import { errorCode } from '../core/errors/start-failure.ts';

export const DEADLOCK = '40P01';
export const FOREIGN_KEY_VIOLATION = '23503';
/** Each deadlock takes PostgreSQL a second to notice. */
const MAX_TRIES = 8;

/** `run` has to be a whole transaction, and may run several times. */
export async function repeatConflicts<T>(run: () => Promise<T>, conflicts = [DEADLOCK]): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !conflicts.includes(errorCode(error) ?? '')) throw error;
    }
  }
}
