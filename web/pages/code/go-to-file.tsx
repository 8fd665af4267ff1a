/** Opens a file by part of its path. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { useSettled } from '../../components/use-settled.ts';
import { bestFirst, globFor } from '../../frame/file-glob.ts';
import { type CodePlace, filesQuery } from '../../parts/code/code-queries.ts';
import { MarkedText } from '../../parts/code/marked-text.tsx';

const PAUSE_MS = 120;
const MAX_SHOWN = 50;

interface GoToFileProps {
  open: boolean;
  place: CodePlace;
  onClose(): void;
  onOpen(path: string): void;
}

export function GoToFile(props: GoToFileProps) {
  return (
    <Dialog open={props.open} title="Go to file" onClose={props.onClose}>
      <Choices {...props} />
    </Dialog>
  );
}

/** Mounted only while it is open, so that it opens empty. */
function Choices({ place, onOpen }: GoToFileProps) {
  const [typed, setTyped] = useState('');
  const text = useSettled(typed, PAUSE_MS);
  const pattern = globFor(text);
  const { data, error } = useQuery({
    ...filesQuery(place, pattern),
    enabled: pattern !== '',
    placeholderData: keepPreviousData,
  });
  const found = pattern === '' || !data ? [] : bestFirst(data.items, text).slice(0, MAX_SHOWN);
  return (
    <Command label="Go to file" loop shouldFilter={false}>
      <Command.Input
        autoFocus
        value={typed}
        onValueChange={setTyped}
        maxLength={200}
        placeholder="Part of the path, or a glob such as src/**/*.ts"
        className="h-10 w-full rounded-md border border-strong-line bg-page px-3 text-sm placeholder:text-quiet"
      />
      <Command.List className="mt-3 h-72 overflow-y-auto">
        {found.map((path, index) => (
          <Command.Item
            key={path}
            // The index, because the list trims its values and a path may end in a space.
            value={String(index)}
            onSelect={() => onOpen(path)}
            className="cursor-pointer rounded-md px-2.5 py-1.5 text-sm wrap-anywhere data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
          >
            <span className="text-quiet">
              <MarkedText text={path.slice(0, path.lastIndexOf('/') + 1)} />
            </span>
            <span className="font-medium">
              <MarkedText text={path.slice(path.lastIndexOf('/') + 1)} />
            </span>
          </Command.Item>
        ))}
        {pattern !== '' && data && found.length === 0 && !error && (
          <p className="py-8 text-center text-sm text-quiet">No matching files</p>
        )}
        {error && <p className="px-2 py-3 text-sm text-danger">{error.message}</p>}
        {data && pattern !== '' && data.total > found.length && (
          <p className="px-2.5 py-2 text-xs text-quiet">
            {formatNumber(data.total)} files match. Type more of the path.
          </p>
        )}
      </Command.List>
    </Command>
  );
}
