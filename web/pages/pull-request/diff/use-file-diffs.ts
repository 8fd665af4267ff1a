/** The differences of the files near the viewport: loaded a few at a time, and kept because commits never change. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { operationQuery } from '../../../api/queries.ts';
import type { ChangedFile, FileDiff } from './diff-types.ts';

export interface LoadedFile {
  diff?: FileDiff;
  /** The same with every unchanged line; loaded when lines of a gap are wanted. */
  whole?: FileDiff;
  error?: Error;
}

export interface Comparison {
  pullRequestId: string;
  from: string;
  to: string;
  ignoreWhitespace: boolean;
  /** Diffs that came with the list of files, with whitespace. */
  first: readonly FileDiff[];
}

export interface FileDiffs {
  of(path: string): LoadedFile | undefined;
  /** In order of importance; what was wanted before and isn't loading yet is forgotten. */
  want(wanted: readonly WantedFile[]): void;
  /** Tries again what failed. */
  retry(path: string): void;
}

export interface WantedFile {
  file: ChangedFile;
  whole: boolean;
  /** Someone waits for it: it is loaded alone, before the files around it. */
  isTarget: boolean;
}

const AT_ONCE = 4;
/** The most that the service accepts: all lines of the file. */
const ALL_LINES = 100_000;

export function useFileDiffs(comparison: Comparison): FileDiffs {
  const { from, ignoreWhitespace, pullRequestId, to } = comparison;
  // When the list is fetched again, what is shown stays.
  const [first] = useState(comparison.first);
  const client = useQueryClient();
  const [files, setFiles] = useState<ReadonlyMap<string, LoadedFile>>(new Map());
  const known = useMemo(
    () => new Map(ignoreWhitespace ? [] : first.map((diff): [string, LoadedFile] => [diff.path, { diff }])),
    [first, ignoreWhitespace],
  );
  const loader = useMemo(() => {
    let isEnded = false;
    let queue: readonly WantedFile[] = [];
    const started = new Set<string>();
    let running = 0;
    let loadsTarget = false;
    const nameOf = ({ file, whole }: WantedFile) => `${whole ? 'whole' : 'diff'} ${file.path}`;
    const load = async (wanted: WantedFile) => {
      const { file, whole } = wanted;
      const query = operationQuery('get-file-diff', {
        ...{ pullRequestId, from, to, path: file.path, oldPath: file.oldPath ?? undefined },
        ...(ignoreWhitespace && { ignoreWhitespace }),
        ...(whole && { context: ALL_LINES }),
      });
      const found = await client
        .fetchQuery({ ...query, staleTime: Number.POSITIVE_INFINITY })
        .then((diff): LoadedFile => (whole ? { whole: diff } : { diff }))
        .catch((error: Error): LoadedFile => ({ error }));
      if (isEnded) return;
      setFiles((before) => {
        const shown = before.get(file.path) ?? known.get(file.path);
        return new Map(before).set(file.path, { ...shown, error: undefined, ...found });
      });
    };
    const next = () => {
      while (running < AT_ONCE && !isEnded && !loadsTarget) {
        const wanted = queue.find((each) => !started.has(nameOf(each)));
        if (!wanted) return;
        started.add(nameOf(wanted));
        running += 1;
        loadsTarget = wanted.isTarget;
        void load(wanted).finally(() => {
          running -= 1;
          if (!wanted.isTarget) return next();
          loadsTarget = false;
          // The target is painted first.
          requestAnimationFrame(() => setTimeout(next));
        });
      }
    };
    return {
      want(wanted: readonly WantedFile[]) {
        queue = wanted;
        next();
      },
      retry(path: string) {
        for (const kind of ['diff', 'whole']) started.delete(`${kind} ${path}`);
        setFiles((before) => new Map([...before].filter(([each]) => each !== path)));
      },
      start() {
        isEnded = false;
      },
      end() {
        isEnded = true;
      },
    };
  }, [client, from, ignoreWhitespace, known, pullRequestId, to]);
  useEffect(() => {
    loader.start();
    return () => {
      loader.end();
      setFiles(new Map());
    };
  }, [loader]);
  return useMemo(
    () => ({
      of: (path) => files.get(path) ?? known.get(path),
      want: loader.want,
      retry: loader.retry,
    }),
    [files, known, loader],
  );
}
