/** POST /api/v2/images: stores an image for comments of a pull request or of a plan. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../context.ts';
import { invalidRequest, notFound, Problem } from '../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { findPullRequest } from '../pull-requests/index.ts';
import { IMAGE_LIMITS, UploadedImage, UploadImageInput } from './contract.ts';
import { countImages, insertImage, lockImages, selectPlanId, sumImageBytes } from './image-store.ts';
import { imageTypeOf } from './image-type.ts';

export const uploadImage = defineOperation({
  name: 'upload-image',
  group: 'Images',
  summary: 'Upload an image',
  description: `Only the caller sees it until a comment, description, review or plan shows it; then whoever can read one of these texts. An image that no text shows is deleted within a day or two. At most ${IMAGE_LIMITS.count} for each pull request or plan, and ${IMAGE_LIMITS.organizationBytes / 1024 ** 3} GiB for an organization.`,
  http: { method: 'POST', path: '/api/v2/images', status: 201 },
  accepts: ['session'],
  role: 'member',
  input: UploadImageInput,
  output: UploadedImage,
  problems: ['not_found', 'conflict'],
  async run(context, input) {
    const { actor, clock, db } = context;
    const { organizationId, userId } = actor;
    const of = await findSubject(context, input);
    const content = Buffer.from(input.base64, 'base64');
    const mediaType = imageTypeOf(content);
    if (!mediaType)
      throw invalidRequest([{ path: 'base64', message: 'must be a PNG, JPEG, GIF or WebP image' }]);
    if (content.length > IMAGE_LIMITS.bytes)
      throw invalidRequest([{ path: 'base64', message: `must be at most ${IMAGE_LIMITS.bytes} bytes` }]);
    const id = uuidv7();
    await inTransaction(db, async (transaction) => {
      await lockImages(transaction, organizationId);
      if ((await countImages(transaction, of)) >= IMAGE_LIMITS.count)
        throw new Problem('conflict', `It has ${IMAGE_LIMITS.count} images already, which is the limit.`);
      if (
        (await sumImageBytes(transaction, organizationId)) + content.length >
        IMAGE_LIMITS.organizationBytes
      )
        throw new Problem(
          'conflict',
          'The organization has no room left for images. Delete comments with images that are no longer needed.',
        );
      const image = { id, organizationId, ...of, userId, mediaType, content, at: clock.now() };
      await insertImage(transaction, image);
    });
    return { id, address: `/api/v2/images/${id}`, mediaType, size: content.length };
  },
});

async function findSubject(
  context: Context,
  { pullRequestId, seriesId }: z.output<typeof UploadImageInput>,
): Promise<{ pullRequestId: string | null; planId: string | null }> {
  if ((pullRequestId === undefined) === (seriesId === undefined))
    throw invalidRequest([{ path: 'pullRequestId', message: 'or seriesId is required, but not both' }]);
  if (pullRequestId !== undefined)
    return { pullRequestId: (await findPullRequest(context, pullRequestId)).id, planId: null };
  const planId = await selectPlanId(context.db, context.actor.organizationId, seriesId!);
  if (planId === undefined) throw notFound('The plan');
  return { pullRequestId: null, planId };
}
