/** A killed service leaves no git process behind, even one that waits for a server that never answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

it.each(['git', 'ssh', 'http'])(
  'ends a %s connection that hangs when its process is killed',
  async (protocol) => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const url = `${protocol}://127.0.0.1:${port}/repository.git`;
    const service = spawn(process.execPath, ['--input-type=module', '-e', fetchFrom(url, protocol)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(0), { timeout: 30_000 });
    expect(processesNaming(url)).not.toEqual([]);

    service.kill('SIGKILL');
    await once(service, 'exit');
    await vi.waitFor(() => expect(processesNaming(url)).toEqual([]), { timeout: 30_000 });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  },
);

function fetchFrom(url: string, protocol: string): string {
  const environment = {
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=no',
  };
  const options = { extraEnvironment: environment, endWithService: true, timeoutMs: 600_000 };
  return `import { runGit } from ${JSON.stringify(join(import.meta.dirname, 'run-git.ts'))};
    await runGit(['ls-remote', '--end-of-options', ${JSON.stringify(url)}], ${JSON.stringify(options)});`;
}

/** The git processes with this address in their arguments. */
function processesNaming(url: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, 'latin1');
      return line.includes(url) && !line.includes('--input-type=module');
    } catch {
      return false;
    }
  });
}
