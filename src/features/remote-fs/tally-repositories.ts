/** Keeps account of a search of many repositories: what was searched, what matches, and what was left out. */
import type { z } from 'zod';
import type { EachOutcome, FoundTotal } from '../../platform/core/ports/code-reader.ts';
import type { ChosenRepositories } from './choose-repositories.ts';
import type { SearchAllSummary } from './contract.ts';
import { named, repositories } from './describe-repositories.ts';

type Repository = ChosenRepositories['chosen'][number];
type State = FoundTotal | 'missing' | 'late';

export function createTally(chosen: readonly Repository[]) {
  const byId = new Map(chosen.map((each) => [each.id, each]));
  const states = new Map<string, State>();
  const shown = new Map<string, number>();
  const having = (state: State | undefined) => chosen.filter(({ id }) => states.get(id) === state);
  const shownLines = () => [...shown.values()].reduce((sum, lines) => sum + lines, 0);

  /** The repository, if it was searched. A count that wasn't reached in time leaves what was known before. */
  function take(id: string, outcome: EachOutcome): Repository | undefined {
    if (outcome.kind === 'found') states.set(id, outcome.total);
    else if (!states.has(id)) states.set(id, outcome.kind === 'missing' ? 'missing' : 'late');
    return outcome.kind === 'found' ? byId.get(id) : undefined;
  }

  function summary(
    leftOut: readonly string[],
    { hasCounted }: { hasCounted: boolean },
  ): z.input<typeof SearchAllSummary> {
    const totals = [...states.values()].filter((state) => typeof state === 'object');
    const [missing, late, unsearched] = [having('missing'), having('late'), having(undefined)];
    const more = [...shown].filter(([id, lines]) => (states.get(id) as FoundTotal).lines > lines).length;
    const say = (some: number, one: string, several: string, rest: string) =>
      some > 0 ? [`${repositories(some, one, several)} ${rest}.`] : [];
    return {
      searched: totals.length,
      matching: [...shown.values()].filter((lines) => lines > 0).length,
      matchingLines: shownLines(),
      total: {
        lines: totals.reduce((sum, { lines }) => sum + lines, 0),
        repositories: totals.filter(({ lines }) => lines > 0).length,
        isLowerBound:
          unsearched.length + late.length + missing.length > 0 ||
          totals.some(({ isLowerBound }) => isLowerBound),
      },
      leftOut: [
        ...leftOut,
        ...(hasCounted ? [] : say(more, 'has', 'have', 'more matching lines than shown')),
        ...say(missing.length, 'is', 'are', `still being fetched: ${named(missing)}`),
        ...say(late.length, 'was', 'were', `not searched in time: ${named(late)}`),
        ...say(unsearched.length, 'was', 'were', 'not searched because there are enough results'),
      ],
    };
  }

  return {
    take,
    shownLines,
    summary,
    repository: (id: string) => byId.get(id)!,
    show: (id: string, lines: number) => void shown.set(id, lines),
    /** Repositories whose matches can still be counted to the end. */
    uncounted: () =>
      chosen.filter(({ id }) => {
        const state = states.get(id);
        return state === undefined || (typeof state === 'object' && state.isLowerBound);
      }),
  };
}
