/**
 * A browser that is told to open pages and nothing else. Playwright also makes it report every request with the code that sent it, for
 * which V8 parses scripts once more: a page takes about 60 ms longer than for people.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, LAUNCH_ARGUMENTS } from '../test/browser/find-browser.ts';

export interface BareBrowser {
  setCookie(cookie: { name: string; value: string; url: string }): Promise<void>;
  /** Opens an address in a new tab where `script` runs first, and returns what `expression` resolves with there. */
  visit(url: string, script: string, expression: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Reply {
  id?: number;
  result: Record<string, unknown>;
  error?: { message: string };
}

export async function launchBareBrowser(size: { width: number; height: number }): Promise<BareBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'countersign-browser-'));
  const program = findBrowser((line) => process.stderr.write(`${line}\n`));
  const args = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...LAUNCH_ARGUMENTS];
  const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const socket = new WebSocket(await addressIn(browser.stderr));
  await once(socket, 'open');
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let sent = 0;
  const send = async (method: string, params: object, sessionId?: unknown) => {
    sent += 1;
    const id = sent;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { error, result } = await promise;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return {
    async setCookie(cookie) {
      await send('Storage.setCookies', { cookies: [{ ...cookie, httpOnly: true, sameSite: 'Lax' }] });
    },
    async visit(url, source, expression) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', ...size });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      await send('Page.enable', {}, sessionId);
      await send('Page.addScriptToEvaluateOnNewDocument', { source }, sessionId);
      await send('Page.navigate', { url }, sessionId);
      const wanted = { expression, awaitPromise: true, returnByValue: true };
      const { result } = await send('Runtime.evaluate', wanted, sessionId);
      await send('Target.closeTarget', { targetId });
      return (result as { value?: unknown }).value;
    },
    async close() {
      const ended = once(browser, 'exit');
      // It may exit before it replies.
      void send('Browser.close', {});
      await ended;
      socket.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Reads on to the end: the browser would fail to write to a closed pipe. */
function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    output.on('data', (chunk) => {
      text += String(chunk);
      const address = /ws:\/\/\S+/.exec(text)?.[0];
      if (address) resolve(address);
    });
    output.on('end', () => reject(new Error(`The browser ended: ${text}`)));
  });
}
