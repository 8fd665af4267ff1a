/** Images of comments, which only readers here can see: a code host gets a link to the pull request's page that says so. Pure. */

const WHO = 'image, for members of Countersign who can read this pull request';
const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Bounded: a text of brackets alone would be read again from each of them. */
const NAME = '[^\\]\\n]{0,300}';
const OURS = new RegExp(`!\\[(${NAME})\\]\\(/api/v2/images/(${ID})\\)`, 'g');
const POSTED = new RegExp(`\\[(${NAME}) \\(${WHO}\\)\\]\\(https?://[^\\s)#]+#image-(${ID})\\)`, 'g');

/** The host's readers needn't be ours, and the host could not fetch the image. */
export function withLinkedImages(body: string, pageUrl: string): string {
  return body.replaceAll(OURS, (_, text: string, id: string) => `[${text} (${WHO})](${pageUrl}#image-${id})`);
}

/** As it was written here, so that our own text does not look edited there. */
export function withOwnImages(text: string): string {
  return text.replaceAll(POSTED, (_, name: string, id: string) => `![${name}](/api/v2/images/${id})`);
}
