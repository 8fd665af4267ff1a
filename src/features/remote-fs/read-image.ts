/** GET /api/v2/remote-fs/image: an image of a commit, for the web app, which shows it without giving it an address of its own. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { acceptPath } from './accept-path.ts';
import { ImageReply, MAX_IMAGE_BYTES, ReadImageInput } from './contract.ts';
import { openCommit } from './open-commit.ts';

export const readImage = defineOperation({
  name: 'read-image',
  group: 'Code',
  summary: 'Read an image',
  http: { method: 'GET', path: '/api/v2/remote-fs/image', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ReadImageInput,
  output: ImageReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const path = acceptPath(input.path);
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const image = await opened.read('readImage', { path, maxBytes: MAX_IMAGE_BYTES });
    if (image.kind === 'no_path') throw new Problem('not_found', `${path} doesn't exist at this commit.`);
    if (image.kind === 'too_large') throw new Problem('not_found', `${path} is too large to show.`);
    if (image.kind === 'not_an_image') {
      throw new Problem('not_found', `${path} isn't a PNG, JPEG, GIF, WebP or SVG image.`);
    }
    const { base64, mediaType } = image;
    return { path, commit: opened.commit, mediaType, base64 };
  },
});
