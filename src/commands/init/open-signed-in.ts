/**
 * Opens the web app in the browser, signed in. Cookies are shared by all ports of a host, so a small server here can set the
 * session cookie and redirect to the service. Its address contains a secret and works once, within two minutes.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Call } from '../command.ts';

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };
/** How long the address works. */
const OPEN_WITHIN_MS = 120_000;

export async function openSignedIn(
  call: Call,
  { token, url }: { url: string; token: string },
): Promise<void> {
  const secret = `/${randomBytes(24).toString('base64url')}`;
  const server = createServer();
  const opened = new Promise<void>((done) => {
    server.on('request', (request, response) => {
      if (request.url !== secret) {
        response.writeHead(404).end();
        return;
      }
      response
        .writeHead(302, {
          location: url,
          'set-cookie': `countersign=${token}; Path=/; HttpOnly; SameSite=Lax`,
          'cache-control': 'no-store',
        })
        .end(() => done());
    });
  });
  await once(server.listen(0, new URL(url).hostname), 'listening');
  const address = `http://${new URL(url).hostname}:${(server.address() as AddressInfo).port}${secret}`;
  const opener = OPENERS[process.platform];
  const isShown =
    call.options['no-browser'] !== true && opener !== undefined && (await start(opener, address));
  if (!isShown)
    process.stdout.write(
      `Open this address within two minutes. It works once; to get another, run init again:\n  ${address}\nWaiting for it to be opened. Ctrl-C invalidates this address; the service keeps running.\n`,
    );
  else process.stdout.write(`Opening ${url} in your browser.\n`);
  try {
    await Promise.race([
      opened,
      once(AbortSignal.any([call.stopped, AbortSignal.timeout(OPEN_WITHIN_MS)]), 'abort'),
    ]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Whether the program exists and took the address. */
function start(program: string, address: string): Promise<boolean> {
  return new Promise((known) => {
    const child = spawn(program, [address], { stdio: 'ignore' });
    child.on('error', () => known(false));
    child.on('exit', (code) => known(code === 0));
  });
}
