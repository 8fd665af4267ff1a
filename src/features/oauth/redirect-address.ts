/** Where an agent may take the browser back to: https, a program on this computer, or a scheme of its own. */
import { isThisComputer } from '../../platform/core/this-computer.ts';

/** Schemes that browsers or the system answer, or that web sites may claim, so that none of them is an agent's own. */
const NOT_ITS_OWN = new Set(
  [
    // What browsers open themselves, and the browsers' own names.
    'about blob brave chrome cid content data edge feed feeds file filesystem ftp ftps intent jar javascript mhtml mid mk',
    'opera res resource safari touch-url urn vbscript view-source vivaldi wais ws wss wyciwyg',
    // What the system opens: settings, shops, scripts, searches, calls, and places on the network.
    'acrobat afp android-app app-prefs app-settings applescript apt appstream bingmaps calculator callto cifs dav davs dict',
    'facetime facetime-audio geo ghelp gopher hcp help help-viewer ichat imessage info ldap ldaps macappstore macappstores',
    'mailto man map maps market message messages mms mmst mmsu msteams music news nfs nntp onenote package pcast podcast',
    'podcasts prefs rdp rlogin rtsp search search-ms settings sftp shell shortcuts skype sms smsto smb snap ssh steam',
    'tbauth tel telnet tn3270 trash vnc webcal webcals webdav webdavs windowsdefender workflow zoommtg zoomus',
    // What web sites may register themselves for, besides `web+…`.
    'bitcoin cabal dat did dweb ethereum hyper im ipfs ipns irc ircs magnet matrix openpgp4fpr sip sips ssb wtai xmpp',
  ].flatMap((line) => line.split(' ')),
);

/** `x-` is how systems and browsers name what they add, and a name with `http` in it stands for a web address. */
const NOT_ITS_OWN_FORM =
  /^(?:ms-|microsoft-|x-|web\+|googlechrome|firefox|itms|(?:brave|chrome|edge|moz|opera|safari)-)|http/;

const LONGEST = 2000;

/** What is wrong with it; undefined when nothing is. */
export function redirectFault(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > LONGEST) {
    return `must be addresses of at most ${LONGEST.toLocaleString('en-US')} characters`;
  }
  const url = URL.parse(address);
  // Parsers drop white space and control characters, and browsers would go elsewhere than what was compared.
  if (!url || /[^\x21-\x7e]/.test(address)) return 'must be whole addresses, percent-encoded';
  if (address.includes('#')) return 'must not have a fragment';
  if (url.username || url.password) return 'must not hold a user name';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isThisComputer(url.hostname) ? undefined : 'must use https, unless they are on this computer';
  }
  const scheme = url.protocol.slice(0, -1);
  if (NOT_ITS_OWN.has(scheme) || NOT_ITS_OWN_FORM.test(scheme)) return `must not use the scheme ${scheme}`;
  return /https?(?::|%3a)/i.test(address)
    ? 'must not carry a web address in a scheme of their own'
    : undefined;
}

/**
 * The library holds agents on this computer (`native`) and on the web (`web`) to different rules. What clients say of themselves
 * is often wrong, so the addresses decide: only https on this computer needs the rules for the web.
 */
export function applicationTypeFor(addresses: readonly string[]): 'native' | 'web' {
  const urls = addresses.map((address) => new URL(address));
  const secureLoopback = urls.some(
    ({ hostname, protocol }) => protocol === 'https:' && isThisComputer(hostname),
  );
  return secureLoopback ? 'web' : 'native';
}

/** As a person is told of it, without the port, which changes each time. */
export function describeRedirect(address: string): { returnsTo: string; isLocal: boolean } {
  const url = new URL(address);
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    const isLocal = isThisComputer(url.hostname);
    return { returnsTo: isLocal ? url.hostname : url.host, isLocal };
  }
  return { returnsTo: url.host ? `${url.protocol}//${url.host}` : url.protocol, isLocal: true };
}
