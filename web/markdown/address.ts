/** Which addresses in a text may be followed, and which images may be shown. */

/** Before every id made from a text, so that none is taken for one of the app's own. */
export const ID_PREFIX = 'section-';

const FOLLOWED = new Set(['http:', 'https:', 'mailto:']);
const SHOWN_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

export type Destination = { kind: 'outside' | 'inside'; href: string };

/** Read as browsers read it, so that no tab, entity or letter case makes another address of it on the way. */
export function destinationOf(address: string): Destination | undefined {
  if (address.startsWith('#')) return { kind: 'inside', href: `#${ID_PREFIX}${address.slice(1)}` };
  const url = URL.parse(address);
  return url && FOLLOWED.has(url.protocol) ? { kind: 'outside', href: url.href } : undefined;
}

/** Only images that are part of the text itself: any other would tell somebody that it is being read. */
export function isShownImage(address: string): boolean {
  return SHOWN_IMAGE.test(address);
}
