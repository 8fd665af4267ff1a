/** Checks repository URLs and derives names from them. */

import type { OperationSettings } from '../../context.ts';
import {
  checkCredential,
  checkRemoteAddress,
  nameFromAddress,
  parseRemote,
  RemoteRefused,
  type RemoteRules,
} from '../../engines/git/index.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { Credential } from './credential.ts';
import { nameProblem } from './repository-name.ts';

/** The operator's rules for repositories added by users. */
export function remoteRules(settings: OperationSettings): RemoteRules {
  const { allowLocalRepositories, allowPrivateAddresses, dataDir } = settings;
  return { allowLocal: allowLocalRepositories, allowPrivateAddresses, ownFolder: dataDir };
}

/** The normalized URL, or a Problem when the URL or its credential can't be used. */
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
    throw explain(error);
  }
}

/** The same for a URL that was accepted before, without resolving its host again. */
export function acceptCredential(url: string, credential: Credential | null): void {
  try {
    checkCredential(parseRemote(url), credential);
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof RemoteRefused)) return error;
  const path = error.reason === 'credential' ? 'credential' : 'url';
  return new Problem('invalid_request', error.message, {
    errors: [{ path, message: error.message.replace(/\.$/, '') }],
  });
}

/** The given name, or the one at the end of the URL. */
export function acceptName(given: string | undefined, url: string): string {
  const name = given ?? nameFromAddress(url);
  const problem = name === null ? '' : nameProblem(name);
  if (name !== null && problem === undefined) return name;
  const message = given === undefined ? "is required because the URL doesn't end in a valid name" : problem!;
  throw invalidRequest([{ path: 'name', message }]);
}
