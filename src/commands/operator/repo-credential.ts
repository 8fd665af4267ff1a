/** Reads the credential for `countersign repo add`: never from an option's value, which other processes could read. */
import { readFile } from 'node:fs/promises';
import type { Credential } from '../../features/repositories/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, textOption } from '../command.ts';
import { readSecret } from '../terminal/read-password.ts';

export async function readCredential(call: Call): Promise<Credential | null> {
  const { options } = call;
  if (options['password-stdin'] && options['ssh-key-file']) {
    throw new StartFailure('usage', 'repo add: use either --password-stdin or --ssh-key-file, not both');
  }
  if (options['password-stdin']) {
    const password = await readSecret('Password or access token', call.stopped);
    const username = textOption(call, 'username');
    return { kind: 'password', password, ...(username !== '' && { username }) };
  }
  if (options.username !== undefined) {
    throw new StartFailure('usage', '--username requires --password-stdin');
  }
  if (options['ssh-key-file']) {
    return { kind: 'ssh_key', privateKey: await readKey(textOption(call, 'ssh-key-file')) };
  }
  return null;
}

async function readKey(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartFailure('refused', `cannot read the key file ${file}: ${(error as Error).message}`, error);
  }
}
