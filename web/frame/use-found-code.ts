/** The repositories and files that the command palette finds for what is typed into it. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { type CallOutput, call } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { useSettled } from '../components/use-settled.ts';
import { bestFirst, globFor } from './file-glob.ts';

const PAUSE_MS = 200;
const MIN_TEXT_LENGTH = 2;
const MAX_REPOSITORIES = 4;
const MAX_FILES = 6;
/** Outside a repository, files are searched in this many repositories. */
const MAX_SEARCHED = 5;

type Repository = CallOutput<'list-repositories'>['repositories'][number];

export interface FoundFile {
  repositoryId: string;
  repositoryName: string;
  ref: string | undefined;
  path: string;
}

export function useFoundRepositories(typed: string): Repository[] {
  const text = useSettled(typed.trim(), PAUSE_MS);
  const found = useQuery({
    ...operationQuery('list-repositories', { search: text, limit: MAX_REPOSITORIES }),
    enabled: text.length >= MIN_TEXT_LENGTH,
    placeholderData: keepPreviousData,
  });
  return typed.trim().length < MIN_TEXT_LENGTH ? [] : (found.data?.repositories ?? []);
}

/** The repository whose page is open, with the ref that is shown there. */
export function useCurrentRepository(): { repository: Repository | undefined; ref: string | undefined } {
  const { repositoryId } = useParams({ strict: false });
  const { ref } = useSearch({ strict: false });
  const repository = useQuery({
    ...operationQuery('get-repository', { repositoryId: repositoryId ?? '' }),
    enabled: repositoryId !== undefined,
  });
  return { repository: repositoryId ? repository.data : undefined, ref };
}

/** Files of the current repository; on other pages, of the first few repositories. */
export function useFoundFiles(typed: string): FoundFile[] {
  const { ref, repository: current } = useCurrentRepository();
  const text = useSettled(typed.trim(), PAUSE_MS);
  const enabled = text.length >= MIN_TEXT_LENGTH;
  const first = useQuery({
    ...operationQuery('list-repositories', { limit: MAX_SEARCHED }),
    enabled: enabled && !current,
  });
  const searched = current ? [current] : (first.data?.repositories ?? []);
  const found = useQueries({
    queries: searched
      .filter(({ headCommit }) => headCommit !== null)
      .map(({ id, name }) => {
        const place = { repository: name, ref: current ? ref : undefined };
        return {
          queryKey: ['search-files', 'palette', place, globFor(text)],
          queryFn: async ({ signal }: { signal: AbortSignal }) => {
            const reply = await call('search-files', { ...place, pattern: globFor(text) }, { signal });
            const paths = 'items' in reply ? reply.items : [];
            return { repositoryId: id, repositoryName: name, ref: place.ref, paths };
          },
          enabled,
          retry: false,
        };
      }),
    combine: (replies) => replies.flatMap(({ data }) => data ?? []),
  });
  if (typed.trim().length < MIN_TEXT_LENGTH) return [];
  const rank = new Map(
    bestFirst(
      found.flatMap(({ paths }) => paths),
      text,
    ).map((path, index) => [path, index]),
  );
  return found
    .flatMap(({ paths, ...where }) => paths.map((path) => ({ ...where, path })))
    .sort((one, other) => rank.get(one.path)! - rank.get(other.path)!)
    .slice(0, MAX_FILES);
}
