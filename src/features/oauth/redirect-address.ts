/** Where an agent may send the browser back to: HTTPS, a program on this computer, or its own URL scheme. */
import { isThisComputer } from '../../platform/core/network/this-computer.ts';

/** Schemes handled by browsers or the system, or open to websites, so that none of them can be an agent's own. */
const RESERVED_SCHEMES = new Set(
  [
    // Handled by browsers, and the browsers' own schemes.
    'about blob brave chrome cid content data edge feed feeds file filesystem ftp ftps intent jar javascript mhtml mid mk',
    'opera res resource safari touch-url urn vbscript view-source vivaldi wais ws wss wyciwyg',
    // Handled by the system: settings, stores, scripts, searches, calls, and network locations.
    'acrobat afp android-app app-prefs app-settings applescript apt appstream bingmaps calculator callto cifs dav davs dict',
    'facetime facetime-audio geo ghelp gopher hcp help help-viewer ichat imessage info ldap ldaps macappstore macappstores',
    'mailto man map maps market message messages mms mmst mmsu msteams music news nfs nntp onenote package pcast podcast',
    'podcasts prefs rdp rlogin rtsp search search-ms settings sftp shell shortcuts skype sms smsto smb snap ssh steam',
    'tbauth tel telnet tn3270 trash vnc webcal webcals webdav webdavs windowsdefender workflow zoommtg zoomus',
    // Websites can register themselves as handlers for these, besides `web+…`.
    'bitcoin cabal dat did dweb ethereum hyper im ipfs ipns irc ircs magnet matrix openpgp4fpr sip sips ssb wtai xmpp',
  ].flatMap((line) => line.split(' ')),
);

/** `x-` is the prefix of schemes added by systems and browsers, and a name with `http` in it stands for a web address. */
const RESERVED_SCHEME_FORM =
  /^(?:ms-|microsoft-|x-|web\+|googlechrome|firefox|itms|(?:brave|chrome|edge|moz|opera|safari)-)|http/;

const LONGEST = 2000;

export function redirectFault(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > LONGEST) {
    return `must be URLs of at most ${LONGEST.toLocaleString('en-US')} characters`;
  }
  const url = URL.parse(address);
  // Parsers drop whitespace and control characters, so browsers would go to another address than the one compared.
  if (!url || /[^\x21-\x7e]/.test(address)) return 'must be absolute URLs, percent-encoded';
  if (address.includes('#')) return 'must not have a fragment';
  if (url.username || url.password) return 'must not contain a user name';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isThisComputer(url.hostname) ? undefined : 'must use HTTPS, unless they are on this computer';
  }
  const scheme = url.protocol.slice(0, -1);
  if (RESERVED_SCHEMES.has(scheme) || RESERVED_SCHEME_FORM.test(scheme))
    return `must not use the scheme ${scheme}`;
  return /https?(?::|%3a)/i.test(address)
    ? 'must not contain a web address when using a custom scheme'
    : undefined;
}

/**
 * The library has different rules for agents on this computer (`native`) and on the web (`web`). What clients declare is
 * often wrong, so the addresses decide: only HTTPS on this computer needs the rules for the web.
 */
export function applicationTypeFor(addresses: readonly string[]): 'native' | 'web' {
  const urls = addresses.map((address) => new URL(address));
  const secureLoopback = urls.some(
    ({ hostname, protocol }) => protocol === 'https:' && isThisComputer(hostname),
  );
  return secureLoopback ? 'web' : 'native';
}

/** As shown to users, without the port, which changes each time. */
export function describeRedirect(address: string): { returnsTo: string; isLocal: boolean } {
  const url = new URL(address);
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    const isLocal = isThisComputer(url.hostname);
    return { returnsTo: isLocal ? url.hostname : url.host, isLocal };
  }
  return { returnsTo: url.host ? `${url.protocol}//${url.host}` : url.protocol, isLocal: true };
}
