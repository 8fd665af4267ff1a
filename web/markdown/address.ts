/** Decides which addresses in a text may be followed, and which images may be shown. */

/** The prefix of every id made from a text, so that it can't collide with the app's own ids. */
export const ID_PREFIX = 'section-';

const FOLLOWED = new Set(['http:', 'https:', 'mailto:']);
const SHOWN_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

export type Destination = { kind: 'outside' | 'inside'; href: string };

/** Parsed the way browsers parse it, so that a tab, an entity or letter case can't disguise the address. */
export function destinationOf(address: string): Destination | undefined {
  if (address.startsWith('#')) return { kind: 'inside', href: `#${ID_PREFIX}${address.slice(1)}` };
  const url = URL.parse(address);
  return url && FOLLOWED.has(url.protocol) ? { kind: 'outside', href: url.href } : undefined;
}

/** The path of a file: relative, such as `docs/setup.md`, or from the root of its repository, such as `/docs/setup.md`. */
export function isFilePath(address: string): boolean {
  return address !== '' && !/^(?:[#?\\]|\/[/\\])/.test(address) && URL.parse(address) === null;
}

/** An image that was uploaded here for a comment. */
const OWN_IMAGE = /^\/api\/v2\/images\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Only images embedded in the text, or stored here: loading any other would reveal that the text is being read. */
export function isShownImage(address: string): boolean {
  return SHOWN_IMAGE.test(address) || OWN_IMAGE.test(address);
}
