/** Parses the address of a repository strictly, so that git can't interpret it differently from what was checked. */
import { resolve } from 'node:path';
import { domainToASCII, fileURLToPath } from 'node:url';
import { RemoteRefused } from './remote-refused.ts';

export type Candidate =
  | { kind: 'https' | 'http' | 'ssh' | 'git'; url: string; host: string; port: number | null; path: string }
  | { kind: 'local'; url: string };

const USER = /^\w[\w.+-]*$/;
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?$/;
const SCP_LIKE = /^(?:([^@/:]*)@)?([^@/:]+):(?!\/\/)(.+)$/;
const ACCEPTED =
  'Use `https://…`, `ssh://…`, `git@host:owner/name.git` or `git://…`; also `file://…` and absolute paths if the operator allows them.';

/** Throws `RemoteRefused`. Resolves nothing: whether the host is allowed is decided elsewhere. */
export function parseRemote(text: string): Candidate {
  const given = text.trim();
  if (given === '') throw refused(`The address is empty. ${ACCEPTED}`);
  if (/\p{Cc}/u.test(given)) throw refused('The address contains control characters. Enter it on one line.');
  if (given.includes('\\')) throw refused(`The address contains a backslash. ${ACCEPTED}`);
  if (given.startsWith('-')) throw refused(`An address can't start with a dash. ${ACCEPTED}`);
  if (/^[\w+.-]*::/.test(given))
    throw new RemoteRefused('transport', `Addresses that run a program are not allowed. ${ACCEPTED}`);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined) return parseUrl(scheme, given);
  if (given.startsWith('/')) return { kind: 'local', url: resolve(given) };
  const scpLike = SCP_LIKE.exec(given);
  if (scpLike) return parseScpLike(scpLike[1], scpLike[2]!, scpLike[3]!);
  throw refused(`This is not a repository address. ${ACCEPTED} Relative paths are not allowed.`);
}

function parseUrl(scheme: string, given: string): Candidate {
  const url = URL.parse(given);
  if (url === null) throw refused(`The address is not valid. ${ACCEPTED}`);
  if (scheme === 'file') return parseFileUrl(url);
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh' && scheme !== 'git')
    throw new RemoteRefused('transport', `\`${scheme}://\` is not supported. ${ACCEPTED}`);
  if (url.password !== '' || (scheme !== 'ssh' && url.username !== ''))
    throw new RemoteRefused(
      'credential_in_address',
      'The address contains a user name or password. Remove it and enter it as the credential, which is stored encrypted.',
    );
  if (url.search !== '' || url.hash !== '')
    throw refused('Remove the query (`?`) or fragment (`#`) from the address.');
  if (/^\/*$/.test(url.pathname)) throw refused('The address has no repository path.');
  const user = scheme === 'ssh' && url.username !== '' ? `${checkUser(url.username)}@` : '';
  const host = checkHost(url.hostname);
  const port = url.port === '' ? null : Number(url.port);
  const shown = `${scheme}://${user}${host}${port === null ? '' : `:${port}`}${url.pathname}`;
  return { kind: scheme, url: shown, host, port, path: url.pathname };
}

function parseFileUrl(url: URL): Candidate {
  if (url.hostname !== '') throw refused("A `file://` address can't have a host. Use `file:///path`.");
  try {
    return { kind: 'local', url: resolve(fileURLToPath(url)) };
  } catch {
    throw refused('The path of the `file://` address is not valid.');
  }
}

function parseScpLike(user: string | undefined, givenHost: string, path: string): Candidate {
  // With brackets git looks for a port there; `ssh://` is unambiguous.
  const host = checkHost(givenHost);
  if (path.startsWith('-')) throw refused("The repository path can't start with a dash.");
  const prefix = user === undefined ? '' : `${checkUser(user)}@`;
  return { kind: 'ssh', url: `${prefix}${host}:${path}`, host, port: null, path };
}

function checkUser(user: string): string {
  if (!USER.test(user)) throw refused('The user name in the address is not valid.');
  return user;
}

function checkHost(given: string): string {
  if (/^\[[0-9a-f:.]+\]$/i.test(given)) return given.toLowerCase();
  const host = domainToASCII(given);
  if (!HOST_NAME.test(host)) throw refused('The host name in the address is not valid.');
  return host;
}

function refused(message: string): RemoteRefused {
  return new RemoteRefused('syntax', message);
}

/**
 * `owner/name` from the end of an address, for a repository added without a name, with only characters allowed in names.
 * A single part when the address has no more; null when it has none.
 */
export function nameFromAddress(text: string): string | null {
  const candidate = parseRemote(text);
  const path = candidate.kind === 'local' ? candidate.url : decoded(candidate.path);
  const parts = path
    .replace(/\/+$/, '')
    .replace(/\/?\.git$/, '')
    .split('/')
    .map((part) => part.replaceAll(/[^\w.~+-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, ''))
    .filter((part) => part !== '');
  return parts.length === 0 ? null : parts.slice(-2).join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
