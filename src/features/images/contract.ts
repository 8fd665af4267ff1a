/** The shapes and limits of images in comments. */
import { z } from 'zod';
import type { ImageFile } from '../../platform/core/operations/operation.ts';
import { uuid } from '../../platform/core/operations/shapes.ts';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

const MEBIBYTE = 1024 * 1024;
export const IMAGE_LIMITS = {
  /** As base64 it fits into the smallest body that the service accepts. */
  bytes: MEBIBYTE,
  /** For each pull request or plan. */
  count: 200,
  /** For all images of an organization together. */
  organizationBytes: 1024 * MEBIBYTE,
} as const;

export const UploadImageInput = z.object({
  pullRequestId: uuid().optional().describe('The pull request that it is for.'),
  seriesId: uuid().optional().describe('Or the plan.'),
  base64: z
    .string()
    .max(Math.ceil(IMAGE_LIMITS.bytes / 3) * 4)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')
    .describe(
      `A PNG, JPEG, GIF or WebP image of at most ${IMAGE_LIMITS.bytes / MEBIBYTE} MiB. Its type is read from its content.`,
    ),
});
export const UploadedImage = z
  .object({
    id: uuid(),
    address: z.string().describe('For Markdown: `![text](address)`.'),
    mediaType: z.enum(IMAGE_TYPES),
    size: z.int(),
  })
  .meta({ id: 'UploadedImage' });

export const GetImageInput = z.object({ imageId: uuid() });
/** A client gets the bytes; the operation returns the file. */
export const ImageBytes = z
  .string()
  .meta({ format: 'binary' })
  .describe('The image.') as unknown as z.ZodType<string, ImageFile>;
