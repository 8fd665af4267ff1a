/** The processes that this one started to read code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, vi } from 'vitest';

/** The running ones of this process whose command names the file. */
export function childProcesses(file: string): number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .map(Number)
    .filter((id) => {
      try {
        const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
        return parent === String(process.pid) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(file);
      } catch {
        return false;
      }
    });
}

/** Kills one as soon as it runs, and waits until this process knows. */
export async function killChild(
  file: string,
  beforeKill: (id: number) => void = () => undefined,
): Promise<void> {
  const killed = await vi.waitFor(
    () => {
      const [id] = childProcesses(file);
      expect(id).toBeDefined();
      beforeKill(id!);
      process.kill(id!, 'SIGKILL');
      return id!;
    },
    { timeout: 30_000, interval: 5 },
  );
  await vi.waitFor(() => expect(existsSync(`/proc/${killed}`)).toBe(false), { interval: 5 });
}
