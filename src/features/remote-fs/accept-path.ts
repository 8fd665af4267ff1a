/** Normalizes a path from a caller: no leading or trailing slashes, and never outside the repository. */
import { invalidRequest } from '../../platform/core/errors/errors.ts';

export function acceptPath(text: string, field = 'path'): string {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw invalidRequest([{ path: field, message: 'must not contain `..`' }]);
  }
  return parts.join('/');
}
