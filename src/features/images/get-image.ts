/** GET /api/v2/images/:imageId: an image of a comment, for whoever can read the pull request or plan that it belongs to. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import type { ImageFile } from '../../platform/core/operations/operation.ts';
import { findPullRequest } from '../pull-requests/index.ts';
import { GetImageInput, ImageBytes } from './contract.ts';
import { selectImage, selectImagePlace } from './image-store.ts';

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
  async run(context, { imageId }): Promise<ImageFile> {
    const { actor, db } = context;
    const place = await selectImagePlace(db, actor.organizationId, imageId);
    if (!place) throw notFound('The image');
    if (place.pull_request_id !== null) await findPullRequest(context, place.pull_request_id);
    else if (place.plan_status === 'deleted') throw notFound('The image');
    const image = await selectImage(db, imageId);
    if (!image) throw notFound('The image');
    return { mediaType: image.media_type, bytes: image.content };
  },
});
