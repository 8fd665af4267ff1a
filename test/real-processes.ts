/** Real child processes and real small disks for tests of what happens when a process dies or a disk is full. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Script = {
  pid: number;
  /** The next line that the script prints; fails with what it wrote to its error output when it ends instead. */
  line(): Promise<string>;
  send(line: string): void;
  /** Ends it as kill -9 does, and waits until it is gone. */
  kill(): Promise<void>;
  errors(): string;
};

const running = new Set<ChildProcess>();
const folders = new Set<string>();
const mounts = new Set<string>();

/** Runs the text of a module in a Node process of its own. */
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

/** Mounts a small file system of its own, or gives undefined where this user may not mount. */
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

/** Ends every script, unmounts every disk and removes every folder of this test file. */
export async function cleanUp(): Promise<void> {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // Lazily, so that a failed test which still has a file open there does not leave the mount behind.
  for (const folder of mounts) execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
  mounts.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
