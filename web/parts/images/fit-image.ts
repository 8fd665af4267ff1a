/** Makes an image small enough to upload: screenshots of large screens would often be refused. */

/** As large as the service takes. */
const MAX_BYTES = 1024 * 1024;
const SCALES = [1, 0.75, 0.5, 0.25];
const QUALITY = 0.85;

/** The image itself if it fits, or can't be drawn again without losing its animation: then the service says why. */
export async function fitImage(image: Blob): Promise<Blob> {
  if (image.size <= MAX_BYTES || image.type === 'image/gif') return image;
  const bitmap = await createImageBitmap(image).catch(() => undefined);
  if (!bitmap) return image;
  for (const scale of SCALES) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
    if (drawn && drawn.size <= MAX_BYTES) return drawn;
  }
  return image;
}
