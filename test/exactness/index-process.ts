/** Starts the real index process, so that a test can kill it while it works. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import type { FromProcess, ToProcess } from '../../src/engines/processes/messages.ts';
import type { RepositoryFolders } from '../../src/engines/search/messages.ts';

const FILE = new URL('../../src/engines/search/index-process.ts', import.meta.url);

export function startIndexProcess() {
  const child = fork(FILE, {
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const request = async (message: ToProcess & { kind: 'request' }): Promise<boolean> => {
    child.send(message);
    const answered = new Promise<boolean>((resolve, reject) => {
      child.on('message', (reply: FromProcess) => {
        if (reply.id !== message.id) return;
        if (reply.kind === 'result') resolve(true);
        else if (reply.kind === 'failure') reject(new Error(reply.message));
      });
    });
    return Promise.race([answered, exited.then(() => false)]);
  };
  return {
    /** Indexes one commit after another; false if the process ended first. */
    async build(folders: RepositoryFolders, commits: string[]): Promise<boolean> {
      for (const [id, commit] of commits.entries()) {
        const time = { timeLimitMs: Number.POSITIVE_INFINITY, waitedMs: 0 };
        const params = { commits: [commit], maxIndexBytes: 2 ** 40 };
        if (!(await request({ kind: 'request', id, name: 'buildIndex', folders, params, time })))
          return false;
      }
      return true;
    },
    /** Kills it after a number of file changes in the index; returns whether that happened before it finished. */
    async killAfterFiles(indexFolder: string, changes: number, building: Promise<boolean>): Promise<boolean> {
      let left = changes;
      const watcher = watch(indexFolder, () => {
        if (left === 0) child.kill('SIGKILL');
        left -= 1;
      });
      const isDone = await building;
      watcher.close();
      child.kill('SIGKILL');
      await exited;
      return !isDone;
    },
  };
}
