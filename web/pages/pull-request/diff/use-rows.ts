/** All rows of the list, one file after another; the rows of a file are made again only when it changed. */
import { useMemo, useRef } from 'react';
import { type FileRow, type FileRows, type FileState, fileRows } from './file-rows.ts';
import type { FileDiffs, LoadedFile } from './use-file-diffs.ts';

export interface ListRow {
  row: FileRow;
  /** The place of its file in the list. */
  file: number;
  key: string;
}

export interface ListedFile extends FileRows {
  state: FileState;
  /** The place of its header among all rows. */
  start: number;
}

export interface Rows {
  all: ListRow[];
  files: ListedFile[];
}

interface Made {
  state: FileState;
  loaded: LoadedFile | undefined;
  columns: 1 | 2;
  file: number;
  made: FileRows;
  listed: ListRow[];
}

export function useRows(states: readonly FileState[], diffs: FileDiffs, columns: 1 | 2): Rows {
  const cache = useRef(new Map<string, Made>());
  return useMemo(() => {
    const all: ListRow[] = [];
    const files = states.map((state, file): ListedFile => {
      const { path } = state.file;
      const loaded = diffs.of(path);
      const before = cache.current.get(path);
      const isSame =
        before &&
        before.state === state &&
        before.loaded === loaded &&
        before.columns === columns &&
        before.file === file;
      const { listed, made } = isSame ? before : makeRows(state, loaded, columns, file);
      if (!isSame) cache.current.set(path, { state, loaded, columns, file, listed, made });
      const start = all.length;
      for (const row of listed) all.push(row);
      return { ...made, state, start };
    });
    return { all, files };
  }, [states, diffs, columns]);
}

function makeRows(
  state: FileState,
  loaded: LoadedFile | undefined,
  columns: 1 | 2,
  file: number,
): Pick<Made, 'made' | 'listed'> {
  const made = fileRows(state, loaded, columns);
  return { made, listed: made.rows.map((row) => ({ row, file, key: `${file} ${row.key}` })) };
}
