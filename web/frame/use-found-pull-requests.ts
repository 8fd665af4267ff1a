/** The pull requests that the command palette finds for what is typed into it. */
import { useQuery } from '@tanstack/react-query';
import { type CallOutput, call } from '../api/client.ts';
import { useSettled } from '../components/use-settled.ts';

const PAUSE_MS = 200;
const MAX_SHOWN = 5;
const MIN_TEXT_LENGTH = 2;

export type FoundPullRequest = CallOutput<'list-pull-requests'>['pullRequests'][number];

/** Fetched once typing pauses; previous results stay until the next reply arrives. */
export function useFoundPullRequests(typed: string): FoundPullRequest[] {
  const text = useSettled(typed.trim(), PAUSE_MS);
  const found = useQuery({
    queryKey: ['list-pull-requests', 'palette', text],
    queryFn: ({ signal }) =>
      call('list-pull-requests', { search: text, state: 'all', limit: MAX_SHOWN }, { signal }),
    enabled: text.length >= MIN_TEXT_LENGTH,
    placeholderData: (before) => before,
  });
  if (typed.trim().length < MIN_TEXT_LENGTH) return [];
  return found.data?.pullRequests ?? [];
}
