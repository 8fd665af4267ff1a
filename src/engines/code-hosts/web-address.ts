/** The address of a host as people open it, without a slash at the end. */
import { HostError } from './host-error.ts';

/** Throws `invalid` for what can't be the address of a host. */
export function webAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new HostError(
      'invalid',
      'The address of the host must be like https://git.example.com, without a user name.',
    );
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}
