/** The parts of a repository's full name, encoded for a path of the API. */
import { HostError } from './host-error.ts';

/** `owner/name`. Throws `not_found` for anything else, which no such host can have. */
export function ownerAndName(fullName: string): { owner: string; name: string; path: string } {
  const [owner, name, ...rest] = fullName.split('/');
  if (!owner || !name || rest.length > 0 || [owner, name].some((part) => part === '.' || part === '..'))
    throw new HostError('not_found', 'A repository is named as owner/name.');
  return { owner, name, path: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}` };
}
