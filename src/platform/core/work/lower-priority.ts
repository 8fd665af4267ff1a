/** Gives a process less CPU time than the service, so that the service stays responsive. */
import { setPriority } from 'node:os';

/** This process, or the one with the given ID. Does nothing if that one has exited, or if a sandbox forbids it. */
export function lowerPriority(priority: number, pid = 0): void {
  try {
    setPriority(pid, priority);
  } catch {
    // The work can be done with any priority.
  }
}
