/** Real child processes and real small disks for tests of what happens when a process dies or a disk is full. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Script = {
  pid: number;
  /** The next line that the script prints; if it ends instead, fails with its standard error. */
  line(): Promise<string>;
  send(line: string): void;
  /** Kills it with SIGKILL and waits until it has exited. */
  kill(): Promise<void>;
  errors(): string;
};

const running = new Set<ChildProcess>();
const folders = new Set<string>();
const mounts = new Set<string>();

/** Runs the source of a module in its own Node.js process. */
export function startScript(source: string, flags: string[] = []): Script {
  const child = spawn(process.execPath, [...flags, '--input-type=module', '-e', source], { stdio: 'pipe' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid!,
    line: async () => {
      const next = await lines.next();
      if (next.done) throw new Error(`The script ended: ${errors}`);
      return next.value;
    },
    send: (line) => child.stdin.write(`${line}\n`),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    errors: () => errors,
  };
}

/** A folder that `cleanUp` removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cs-test-'));
  folders.add(folder);
  return folder;
}

/** Mounts a small file system, or returns undefined if this user may not mount. */
export function smallDisk(options: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  mounts.add(folder);
  return folder;
}

export function remountReadOnly(folder: string): void {
  execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'pipe' });
}

/** Kills every script, unmounts every disk and removes every folder of this test file. */
export async function cleanUp(): Promise<void> {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // Lazily, so that a failed test with an open file doesn't leave the mount behind.
  for (const folder of mounts) execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
  mounts.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
