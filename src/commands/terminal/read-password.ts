/** Reads a password from standard input: typed without echo on a terminal, or piped in. */
import { NewPassword } from '../../features/accounts/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { printable } from './printable.ts';
import { Stopped } from './stop-signal.ts';

/** Longer input can't be meant as a password. */
const MAX_BYTES = 64 * 1024;

const KEYS = { interrupt: '\u0003', endOfInput: '\u0004', eraseLine: '\u0015', erase: ['\u007f', '\b'] };

export async function readPassword(who: string, stopped: AbortSignal): Promise<string> {
  const given = await readSecret(`Password for ${printable(who)}`, stopped);
  const checked = NewPassword.safeParse(given);
  if (!checked.success) {
    const reason = checked.error.issues.map(({ message }) => message).join(', ');
    throw new StartFailure('refused', `the password ${reason}`);
  }
  return given;
}

/** A new passphrase; typed twice on a terminal, because nobody could open what a typo sealed. */
export async function readNewPassphrase(prompt: string, stopped: AbortSignal): Promise<string> {
  const given = await readSecret(prompt, stopped);
  if (process.stdin.isTTY && (await readSecret('The same again', stopped)) !== given)
    throw new StartFailure('refused', 'the two passphrases differ');
  return given;
}

/** Any non-empty value. */
export async function readSecret(prompt: string, stopped: AbortSignal): Promise<string> {
  const given = process.stdin.isTTY
    ? await typeUnseen(`${prompt} (not shown): `, stopped)
    : await readAll(stopped);
  if (given !== '') return given;
  throw new StartFailure('refused', 'nothing was given. Pass it on standard input.');
}

/** Without the line break that `echo` and editors add. */
async function readAll(stopped: AbortSignal): Promise<string> {
  const stop = () => process.stdin.destroy(stopped.reason);
  stopped.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new StartFailure('refused', 'the password on standard input is too long');
    chunks.push(chunk);
  }
  stopped.removeEventListener('abort', stop);
  stopped.throwIfAborted();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
      .decode(Buffer.concat(chunks))
      .replace(/\r?\n$/, '');
  } catch {
    throw new StartFailure('refused', 'the password on standard input is not UTF-8 text');
  }
}

/** In raw mode the terminal neither echoes input nor turns Ctrl-C into a signal. */
function typeUnseen(prompt: string, stopped: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  return new Promise<string>((resolve, reject) => {
    let typed: string[] = [];
    const finish = (settle: () => void) => {
      stdin.off('data', onData).off('end', onEnd);
      stopped.removeEventListener('abort', onStop);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      settle();
    };
    const onStop = () => finish(() => reject(stopped.reason));
    const onEnd = () => finish(() => resolve(typed.join('')));
    const onData = (text: string) => {
      for (const key of text) {
        if (key === '\r' || key === '\n' || key === KEYS.endOfInput) return onEnd();
        if (key === KEYS.interrupt) return finish(() => reject(new Stopped('SIGINT')));
        if (KEYS.erase.includes(key)) typed.pop();
        else if (key === KEYS.eraseLine) typed = [];
        else typed.push(key);
      }
    };
    stderr.write(prompt);
    stdin.setRawMode(true);
    stdin.setEncoding('utf8').on('data', onData).on('end', onEnd);
    stopped.addEventListener('abort', onStop, { once: true });
    stdin.resume();
  });
}
