import { errorCode } from '../errors/start-failure.ts';

/** Whether a process with this ID is running, even if it belongs to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
