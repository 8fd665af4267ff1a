/** GET /api/v2/remote-fs/search-all: the lines that match in every repository, as server-sent events, best first. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../context.ts';
import { globOfLanguage, LANGUAGES } from '../../engines/facts/index.ts';
import { compileGlob } from '../../engines/search/index.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import type { StreamEvent } from '../../platform/core/operations/operation.ts';
import type { EachOutcome, EachQuery } from '../../platform/core/ports/code-reader.ts';
import { acceptSearch } from './accept-query.ts';
import { type ChosenRepositories, chooseRepositories } from './choose-repositories.ts';
import {
  type FoundInRepository,
  MAX_ALL_LINES,
  MAX_REPOSITORY_BYTES,
  MAX_REPOSITORY_LINES,
  SearchAllEvent,
  SearchAllInput,
} from './contract.ts';
import { badPattern } from './find-code.ts';
import { inWindows } from './in-windows.ts';
import { createDefinitionsFirst, type FoundIn } from './rank-definitions.ts';
import { createTally } from './tally-repositories.ts';
import { sentenceOf } from './write-grep-text.ts';

/** Results that arrive within this time are sorted together. */
const WINDOW_MS = 40;

type Shown = z.input<typeof FoundInRepository>;
type Found = { repositoryId: string; outcome: EachOutcome };

export const searchAllCode = defineOperation({
  name: 'search-all-code',
  group: 'Code',
  summary: 'Search the code of all repositories',
  description:
    'Searches every repository that you can see, at its default branch. Sends one `repository` event for each repository with matches as soon as they are found, best first among those found at about the same time, then one `summary`. For a pattern that is a name, files that define it come first, as far as the syntax of the first 200 repositories with matches is known within a second. At most 50 matching lines per repository and 1,000 in total are returned; the summary says what was left out. With `countAll`, one `counted` event follows for each repository of which not all matches are known, as far as there is time.',
  http: { method: 'GET', path: '/api/v2/remote-fs/search-all', status: 200, eventStream: true },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: SearchAllInput,
  output: SearchAllEvent,
  problems: ['unavailable'],
  async run(context, input) {
    const accepted = acceptSearch(input);
    const globs = [...accepted.globs, ...acceptGlobs(input)];
    const branch = accepted.branch ?? input.branch;
    const { repositories } = input;
    const chosen = await chooseRepositories(context, {
      repositories,
      filters: accepted.repositories,
      branch,
    });
    const query: EachQuery = {
      pattern: accepted.pattern,
      path: '',
      order: 'best',
      globs,
      excludedGlobs: accepted.excludedGlobs,
      withRanges: true,
      ...(input.linesPerFile !== undefined && { linesPerFile: input.linesPerFile }),
      maxLines: MAX_REPOSITORY_LINES,
      maxBytes: MAX_REPOSITORY_BYTES,
    };
    const targets = chosen.chosen.map(({ commit, id }) => ({ repositoryId: id, commit }));
    const outcomes = context.code.searchEach(targets, query, callOf(context))[Symbol.asyncIterator]();
    // An invalid pattern or a full queue must be known before anything is sent.
    const first = await outcomes.next();
    if (!first.done && first.value.outcome.kind === 'bad_pattern') {
      await outcomes.return?.();
      throw badPattern(first.value.outcome.message, input.query === undefined ? 'pattern' : 'query');
    }
    const found = first.done ? none() : startingWith(first.value, outcomes);
    const search = { names: accepted.names, query, countAll: input.countAll === true };
    return stream(context, chosen, found, search) as never;
  },
});

function acceptGlobs({ language, paths }: z.output<typeof SearchAllInput>): string[] {
  const globs: string[] = [];
  if (paths !== undefined && paths !== '') {
    const compiled = compileGlob(paths);
    if (!compiled.ok)
      throw invalidRequest([{ path: 'paths', message: `is not a valid glob: ${compiled.message}` }]);
    globs.push(paths);
  }
  if (language !== undefined && language !== '') {
    const glob = globOfLanguage(language);
    if (glob === null) {
      const message = `is not a known language: use one of ${LANGUAGES.join(', ')}`;
      throw invalidRequest([{ path: 'language', message }]);
    }
    globs.push(glob);
  }
  return globs;
}

async function* none(): AsyncGenerator<Found> {}

async function* startingWith(first: Found, rest: AsyncIterator<Found>): AsyncGenerator<Found> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

interface Search {
  names: readonly string[];
  query: EachQuery;
  countAll: boolean;
}

async function* stream(
  context: Context,
  { chosen, leftOut }: ChosenRepositories,
  outcomes: AsyncIterable<Found>,
  { countAll, names, query }: Search,
): AsyncGenerator<StreamEvent<z.input<typeof SearchAllEvent>>> {
  const gone = context.disconnected();
  const putDefinitionsFirst = createDefinitionsFirst(context, names, query);
  const tally = createTally(chosen);
  let number = 0;
  const event = (kind: string, data: Partial<z.input<typeof SearchAllEvent>>) => {
    number += 1;
    return { id: String(number), kind, data: { repository: null, counted: null, summary: null, ...data } };
  };
  try {
    for await (const group of inWindows(outcomes, WINDOW_MS)) {
      const having: FoundIn[] = [];
      for (const { outcome, repositoryId } of group) {
        const place = tally.take(repositoryId, outcome);
        if (place && outcome.kind === 'found' && (outcome.total.lines > 0 || outcome.notSearched.length > 0))
          having.push({ place, outcome });
      }
      await putDefinitionsFirst(having);
      const found = having.map(({ outcome, place }) => present(tally.repository(place.id), outcome));
      for (const repository of found.sort(byRank)) {
        tally.show(repository.repoId, repository.matchingLines);
        yield event('repository', { repository });
      }
      if (tally.shownLines() >= MAX_ALL_LINES) break;
    }
    if (countAll) {
      const uncounted = tally.uncounted().map(({ commit, id }) => ({ repositoryId: id, commit }));
      const counting = { ...query, order: 'path' as const, withRanges: false, maxLines: 0, countAll };
      for await (const { outcome, repositoryId } of context.code.searchEach(
        uncounted,
        counting,
        callOf(context),
      )) {
        const place = tally.take(repositoryId, outcome);
        if (!place || outcome.kind !== 'found' || outcome.total.lines === 0) continue;
        const { commit, id, name } = place;
        yield event('counted', {
          counted: { repoId: id, repository: name, commit, total: outcome.total },
        });
      }
    }
  } catch (error) {
    if (gone.aborted) return;
    throw error;
  }
  yield event('summary', { summary: tally.summary(leftOut, { hasCounted: countAll }) });
}

function present(
  { commit, id, name }: ChosenRepositories['chosen'][number],
  { files, matchingLines, moreLines, notSearched, total }: EachOutcome & { kind: 'found' },
): Shown {
  const ranked = files.map((file) => ({ ...file, rank: file.rank ?? 0 }));
  return {
    repoId: id,
    repository: name,
    commit,
    rank: Math.min(Number.MAX_SAFE_INTEGER, ...ranked.map(({ rank }) => rank)),
    files: ranked,
    matchingLines,
    total,
    moreLines,
    notSearched: sentenceOf(notSearched),
  };
}

type Ranked = Pick<Shown, 'rank' | 'repository'>;

function byRank(one: Ranked, other: Ranked): number {
  return one.rank - other.rank || (one.repository < other.repository ? -1 : 1);
}
