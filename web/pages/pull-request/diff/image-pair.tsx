/** The old and the new image of a file side by side, with their dimensions and sizes. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNearby } from '../../../markdown/use-nearby.ts';
import { imageQuery } from '../../../parts/code/code-queries.ts';
import { formatBytes } from '../../../parts/fields/format-amounts.ts';
import type { ChangedFile } from './diff-types.ts';
import { CELL } from './table-roles.ts';

export interface ImagePairProps {
  file: ChangedFile;
  /** The repository's name and the two commits. */
  repository: string;
  from: string;
  to: string;
}

export function ImagePair({ file, from, repository, to }: ImagePairProps) {
  const box = useRef<HTMLSpanElement>(null);
  const isNearby = useNearby(box);
  const sides = [
    ...(file.oldBlob === null
      ? []
      : [{ name: 'Before', ref: from, path: file.oldPath ?? file.path, bytes: file.oldBytes }]),
    ...(file.newBlob === null ? [] : [{ name: 'After', ref: to, path: file.path, bytes: file.newBytes }]),
  ];
  return (
    <span {...CELL} ref={box} className="flex justify-center gap-4 p-4">
      {sides.map((side) => (
        <OneImage key={side.name} {...side} repository={repository} isWanted={isNearby} />
      ))}
    </span>
  );
}

function OneImage(props: {
  name: string;
  repository: string;
  ref: string;
  path: string;
  bytes: number | null | undefined;
  isWanted: boolean;
}) {
  const { bytes, isWanted, name, path, ref, repository } = props;
  const { data, error } = useQuery({ ...imageQuery({ repository, ref }, path), enabled: isWanted });
  const [size, setSize] = useState<string>();
  const length = bytes ?? (data && Math.floor((data.base64.length * 3) / 4));
  return (
    <figure className="grid min-w-0 max-w-md flex-1 grid-cols-1 gap-1.5">
      {/* A fixed height, so that nothing below moves when it arrives. */}
      <div className="image-ground flex h-52 items-center justify-center overflow-hidden rounded-md border border-line p-2">
        {data && (
          <img
            src={`data:${data.mediaType};base64,${data.base64}`}
            alt={`${path}, ${name.toLowerCase()}`}
            onLoad={({ currentTarget: { naturalHeight, naturalWidth } }) =>
              setSize(`${naturalWidth} × ${naturalHeight}`)
            }
            className="max-h-full max-w-full object-contain"
          />
        )}
        {error && <span className="rounded bg-raised px-2 py-1 text-sm text-quiet">Binary file</span>}
      </div>
      <figcaption className="flex flex-wrap justify-center gap-x-2 text-xs text-quiet tabular-nums">
        <span className="font-medium text-text">{name}</span>
        {size && <span>{size}</span>}
        {length !== undefined && <span>{formatBytes(length)}</span>}
      </figcaption>
    </figure>
  );
}
