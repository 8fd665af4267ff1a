/** Lets composers inside add images to comments of a pull request or of a plan. */
import { type ReactNode, useCallback } from 'react';
import { call } from '../../api/client.ts';
import { ImageUpload } from '../../components/images/use-image-upload.tsx';
import { fitImage } from './fit-image.ts';

type Subject =
  | { pullRequestId: string; seriesId?: undefined }
  | { seriesId: string; pullRequestId?: undefined };

export function ImagesOf({ children, pullRequestId, seriesId }: Subject & { children: ReactNode }) {
  const upload = useCallback(
    async (image: Blob) => {
      const base64 = await base64Of(await fitImage(image));
      const uploaded = await call('upload-image', {
        base64,
        ...(pullRequestId === undefined ? { seriesId } : { pullRequestId }),
      });
      return uploaded.address;
    },
    [pullRequestId, seriesId],
  );
  return <ImageUpload value={upload}>{children}</ImageUpload>;
}

function base64Of(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error('The image can’t be read.'));
    reader.readAsDataURL(image);
  });
}
