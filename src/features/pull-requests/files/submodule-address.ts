/** Where the repository of a submodule is, as `.gitmodules` says, and whether two addresses name the same one. Pure. */
import { parseRemote, RemoteRefused } from '../../../engines/git/index.ts';

/** The address that `.gitmodules` gives for the submodule at a path; undefined if it gives none. */
export function submoduleAddress(gitmodules: string, path: string): string | undefined {
  let section = { path: '', url: '' };
  const sections = [section];
  for (const line of gitmodules.split('\n')) {
    if (/^\s*\[submodule /.test(line)) {
      section = { path: '', url: '' };
      sections.push(section);
    }
    const [, name, value = ''] = /^\s*(path|url)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === 'path' || name === 'url') section[name] = value.replace(/^"(.*)"$/, '$1');
  }
  return sections.find((each) => each.path === path && each.url !== '')?.url;
}

/** An address that begins with `./` or `../` starts from that of the repository which has the submodule. */
export function resolveAddress(address: string, own: string | null): string {
  if (!/^\.\.?\//.test(address) || own === null) return address;
  let base = own.replace(/\/+$/, '');
  let rest = address;
  for (;;) {
    if (rest.startsWith('../')) base = base.replace(/[/:][^/:]*$/, '');
    else if (!rest.startsWith('./')) break;
    rest = rest.slice(rest.indexOf('/') + 1);
  }
  return `${base}/${rest}`;
}

/** The same for all addresses of one repository, whatever the protocol and the user; undefined if it isn't one. */
export function addressKey(address: string): string | undefined {
  try {
    const found = parseRemote(address);
    const path = found.kind === 'local' ? found.url : `${found.host}/${found.path}`;
    return path
      .replace(/\/+/g, '/')
      .replace(/(\.git)?\/?$/, '')
      .toLowerCase();
  } catch (error) {
    if (error instanceof RemoteRefused) return undefined;
    throw error;
  }
}

/** The last part of a path, which an address of the same repository ends with. */
export function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
