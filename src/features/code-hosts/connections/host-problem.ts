/** Turns an error of a code host into the problem that the caller of an operation gets. */
import { type HostError, isHostError } from '../../../engines/code-hosts/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';

const DEFAULT_RETRY_SECONDS = 30;

/** The input fields that a refused credential and the address of the host came from, if this request has them. */
interface Fields {
  credential?: 'token' | 'code';
  address?: 'url';
}

export async function askHost<Result>(work: () => Promise<Result>, fields: Fields = {}): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isHostError(error) ? problemOf(error, fields) : error;
  }
}

function problemOf(error: HostError, { address, credential }: Fields): Problem {
  const cause = { cause: error };
  switch (error.code) {
    case 'unauthorized':
      if (credential) return invalidRequest([{ path: credential, message: 'was refused by the host' }]);
      return new Problem('conflict', 'The host refused the credential. Replace it, then try again.', cause);
    case 'rate_limited':
      return new Problem('unavailable', "The host's rate limit is used up. Try again later.", {
        ...cause,
        retryAfterSeconds: error.until
          ? Math.max(1, (error.until.getTime() - Date.now()) / 1000)
          : DEFAULT_RETRY_SECONDS,
      });
    case 'unavailable':
      if (address && error.unreached)
        return invalidRequest([{ path: address, message: `can't be reached: ${error.unreached}` }]);
      return new Problem('unavailable', `The host can't be reached: ${error.message}`, {
        ...cause,
        retryAfterSeconds: DEFAULT_RETRY_SECONDS,
      });
    case 'unexpected_reply':
      return new Problem(
        'conflict',
        `The address doesn't answer like this kind of code host. Check the URL and the kind. (${error.message})`,
        cause,
      );
    case 'not_found':
      return new Problem(
        'conflict',
        "The host knows nothing at this address, or the credential can't read it. Check the URL, the kind and the token.",
        cause,
      );
    default:
      return new Problem('conflict', `The host refused the request: ${error.message}`, cause);
  }
}
