/** Paths in the form used in page addresses: empty for the root, with a trailing slash for folders. */
import { ID_PREFIX } from '../../markdown/address.ts';

export function isFolder(path: string): boolean {
  return path === '' || path.endsWith('/');
}

/** The form that the service accepts. */
export function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

/** How git shows names that are not UTF-8; the quoted part can't be split. */
const QUOTED = /^".*"$/s;

export function parentOf(path: string): string {
  const bare = withoutSlash(path);
  if (QUOTED.test(bare)) return '';
  return bare.slice(0, bare.lastIndexOf('/') + 1);
}

/** Each ancestor folder of a path and the path itself, in the form used in addresses. */
export function crumbsOf(path: string): { name: string; path: string }[] {
  if (QUOTED.test(withoutSlash(path))) return [{ name: withoutSlash(path), path }];
  const names = withoutSlash(path).split('/').filter(Boolean);
  return names.map((name, index) => {
    const to = names.slice(0, index + 1).join('/');
    return { name, path: index < names.length - 1 || isFolder(path) ? `${to}/` : to };
  });
}

/** The path and fragment that an address in a Markdown file leads to; undefined outside the repository. */
export function linkIn(
  file: string,
  address: string,
): { path: string; hash: string | undefined } | undefined {
  const [, written = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address) ?? [];
  const target = decoded(written);
  const path = target.startsWith('/') ? targetOf('', target.slice(1)) : targetOf(file, target);
  if (path === undefined) return undefined;
  const hash = /^L\d/.test(fragment) ? fragment : `${ID_PREFIX}${decoded(fragment)}`;
  const isToFolder = /(?:^|\/)\.{0,2}$/.test(target) && path !== '';
  return { path: isToFolder ? `${path}/` : path, hash: fragment === '' ? undefined : hash };
}

/** Addresses in Markdown may be percent-encoded. */
export function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The target of a symbolic link; undefined outside the repository. */
export function targetOf(link: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const parts = parentOf(link).split('/').filter(Boolean);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
