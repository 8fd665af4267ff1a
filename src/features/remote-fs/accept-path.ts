/** A path as callers write it, made plain: without slashes at its ends, and never leading out of the repository. */
import { invalidRequest } from '../../platform/core/errors.ts';

export function acceptPath(text: string, field = 'path'): string {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw invalidRequest([{ path: field, message: 'must not hold `..`: name the folder or file itself' }]);
  }
  return parts.join('/');
}
