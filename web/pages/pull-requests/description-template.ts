/** The template for descriptions of pull requests that a repository has, as its code host would use it. */
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const PATTERN =
  '{pull_request_template.md,PULL_REQUEST_TEMPLATE.md,.gitlab/merge_request_templates/Default.md}';
/** The first that there is. */
const FOLDERS = ['.github/', '.gitea/', '.forgejo/', '', 'docs/', '.gitlab/merge_request_templates/'];
/** Longer files are not meant to be filled in. */
const MAX_LINES = 300;

/** Undefined until it is known; empty if there is none. */
export function useDescriptionTemplate(repository: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['description-template', repository],
    queryFn: ({ signal }) => readTemplate(repository!, signal),
    enabled: repository !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  return data;
}

async function readTemplate(repository: string, signal: AbortSignal): Promise<string> {
  const found = await call('search-files', { repository, pattern: PATTERN }, { signal });
  const paths = 'items' in found ? found.items : [];
  const path = templateAmong(paths);
  if (path === undefined) return '';
  const file = await call('read-file', { repository, path, endLine: MAX_LINES }, { signal });
  return 'text' in file && !file.truncated ? file.text : '';
}

/** Only in the folders where hosts look for it. */
export function templateAmong(paths: readonly string[]): string | undefined {
  return FOLDERS.flatMap((folder) =>
    paths.filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes('/')),
  )[0];
}
