/** Images in a text area: pasted, dropped or chosen, uploaded, and named in the text where the cursor was. */
import { ImagePlus } from 'lucide-react';
import {
  type ClipboardEvent,
  createContext,
  type DragEvent,
  type ReactNode,
  useContext,
  useRef,
  useState,
} from 'react';
import { Button } from '../button.tsx';

const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp';

/** Stores an image and returns its address. Without it, images can't be added. */
export const ImageUpload = createContext<((image: Blob) => Promise<string>) | undefined>(undefined);

export interface Images {
  attributes: {
    onPaste?(event: ClipboardEvent): void;
    onDragOver?(event: DragEvent): void;
    onDragLeave?(): void;
    onDrop?(event: DragEvent): void;
    'data-dropping'?: boolean;
  };
  /** Chooses files, for the keyboard and phones. */
  button: ReactNode;
  uploading: number;
}

export function useImageUpload(handle: {
  insert(text: string): void;
  /** Replaces a text that was inserted before. */
  replace(before: string, after: string): void;
  fail(problem: Error): void;
}): Images {
  const upload = useContext(ImageUpload);
  const [uploading, setUploading] = useState(0);
  const [isDropping, setIsDropping] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const count = useRef(0);
  // The text goes on changing while an image is uploaded.
  const latest = useRef(handle);
  latest.current = handle;
  if (!upload) return { attributes: {}, button: null, uploading: 0 };

  const add = async (file: File) => {
    count.current += 1;
    const name = file.name.replace(/\.\w+$/, '').replaceAll(/[[\]\\\r\n]/g, ' ') || 'image';
    const placeholder = `![Uploading ${name} (${count.current})…]()`;
    latest.current.insert(`${placeholder}\n`);
    setUploading((before) => before + 1);
    try {
      const address = await upload(file);
      latest.current.replace(placeholder, `![${name}](${address})`);
    } catch (error) {
      latest.current.replace(`${placeholder}\n`, '');
      latest.current.fail(error as Error);
    }
    setUploading((before) => before - 1);
  };
  const addAll = async (files: Iterable<File>) => {
    for (const file of files) await add(file);
  };
  const imagesIn = (transfer: DataTransfer | null) =>
    [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  return {
    uploading,
    attributes: {
      onPaste(event) {
        const files = imagesIn(event.clipboardData);
        // Copied cells of a table come with a picture of them: the text is what was meant.
        if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return;
        event.preventDefault();
        void addAll(files);
      },
      onDragOver(event) {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsDropping(true);
      },
      onDragLeave: () => setIsDropping(false),
      onDrop(event) {
        setIsDropping(false);
        const { files } = event.dataTransfer;
        if (files.length === 0) return;
        // Whatever it is: the browser would leave the page and show it.
        event.preventDefault();
        const images = imagesIn(event.dataTransfer);
        if (images.length === 0) latest.current.fail(new Error('Only images can be added to a comment.'));
        void addAll(images);
      },
      'data-dropping': isDropping,
    },
    button: (
      <>
        <input
          ref={chooser}
          type="file"
          accept={ACCEPTED}
          multiple
          hidden
          onChange={({ target }) => {
            void addAll([...(target.files ?? [])]);
            target.value = '';
          }}
        />
        <Button
          size="small"
          look="quiet"
          className="px-2!"
          aria-label="Add images"
          title="Add images: paste, drop or choose them"
          busy={uploading > 0}
          onClick={() => chooser.current?.click()}
        >
          {uploading === 0 && <ImagePlus className="size-4" aria-hidden="true" />}
        </Button>
      </>
    ),
  };
}
