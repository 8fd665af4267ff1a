/** Which addresses a repository may be fetched from, and what it is called when nobody says. */
import { invalidRequest, Problem } from '../core/errors.ts';
import {
  checkCredential,
  checkRemoteAddress,
  nameFromAddress,
  RemoteRefused,
  type RemoteRules,
} from '../git/index.ts';
import type { Credential } from './credential.ts';
import { nameProblem } from './repository-name.ts';

/** The URL as it is kept, or a Problem that says what to do: with it, or with a credential that does not fit it. */
export async function acceptRemoteUrl(
  url: string,
  credential: Credential | null,
  rules: RemoteRules,
): Promise<string> {
  try {
    const remote = await checkRemoteAddress(url, rules);
    checkCredential(remote, credential);
    return remote.url;
  } catch (error) {
    if (!(error instanceof RemoteRefused)) throw error;
    const path = error.reason === 'credential' ? 'credential' : 'url';
    throw new Problem('invalid_request', error.message, {
      errors: [{ path, message: error.message.replace(/\.$/, '') }],
    });
  }
}

/** The name that was given, or the one at the end of the URL. */
export function acceptName(given: string | undefined, url: string): string {
  const name = given ?? nameFromAddress(url);
  const problem = name === null ? '' : nameProblem(name);
  if (name !== null && problem === undefined) return name;
  const message =
    given === undefined ? 'is needed, because none can be taken from the end of the URL' : problem!;
  throw invalidRequest([{ path: 'name', message }]);
}
