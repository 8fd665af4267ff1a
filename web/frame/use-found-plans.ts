/** The plans that the command palette finds for what is typed into it. */
import { useQuery } from '@tanstack/react-query';
import { type CallOutput, call } from '../api/client.ts';
import { useSettled } from '../components/use-settled.ts';

const PAUSE_MS = 200;
const MAX_SHOWN = 6;
const MIN_TEXT_LENGTH = 2;

export type FoundPlan = CallOutput<'list-plans'>['plans'][number];

/** Fetched once typing pauses; previous results stay until the next reply arrives. */
export function useFoundPlans(typed: string): FoundPlan[] {
  const text = useSettled(typed.trim(), PAUSE_MS);
  const found = useQuery({
    queryKey: ['list-plans', 'palette', text],
    queryFn: ({ signal }) => call('list-plans', { search: text, limit: MAX_SHOWN }, { signal }),
    enabled: text.length >= MIN_TEXT_LENGTH,
    placeholderData: (before) => before,
  });
  if (typed.trim().length < MIN_TEXT_LENGTH) return [];
  return found.data?.plans ?? [];
}
