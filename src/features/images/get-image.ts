/** GET /api/v2/images/:imageId: an image, for whoever can read a text that shows it. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import type { ImageFile } from '../../platform/core/operations/operation.ts';
import { GetImageInput, ImageBytes } from './contract.ts';
import { selectImage } from './image-store.ts';

export const getImage = defineOperation({
  name: 'get-image',
  group: 'Images',
  summary: 'Get an image',
  http: { method: 'GET', path: '/api/v2/images/:imageId', status: 200, image: true },
  accepts: ['session'],
  role: 'viewer',
  input: GetImageInput,
  output: ImageBytes,
  problems: ['not_found'],
  async run({ actor, db }, { imageId }): Promise<ImageFile> {
    const image = await selectImage(db, actor, imageId);
    if (!image) throw notFound('The image');
    return { mediaType: image.media_type, bytes: image.content };
  },
});
