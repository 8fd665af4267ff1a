/** GET /api/v2/remote-fs/search-all: the lines that match in every repository, as server-sent events, best first. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../context.ts';
import { globOfLanguage, LANGUAGES } from '../../engines/facts/index.ts';
import { compileGlob } from '../../engines/search/index.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import type { StreamEvent } from '../../platform/core/operations/operation.ts';
import type { EachOutcome, EachQuery } from '../../platform/core/ports/code-reader.ts';
import { type ChosenRepositories, chooseRepositories } from './choose-repositories.ts';
import {
  type FoundInRepository,
  MAX_ALL_LINES,
  MAX_REPOSITORY_BYTES,
  MAX_REPOSITORY_LINES,
  SearchAllEvent,
  SearchAllInput,
} from './contract.ts';
import { named, repositories } from './describe-repositories.ts';
import { badPattern } from './find-code.ts';
import { inWindows } from './in-windows.ts';
import { createDefinitionsFirst, type FoundIn } from './rank-definitions.ts';
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
    'Searches every repository that you can see, at its default branch. Sends one `repository` event for each repository with matches as soon as they are found, best first among those found at about the same time, then one `summary`. For a pattern that is a name, files that define it come first, as far as the syntax of the first 200 repositories with matches is known within a second. At most 50 matching lines per repository and 1,000 in total are returned; the summary says what was left out.',
  http: { method: 'GET', path: '/api/v2/remote-fs/search-all', status: 200, eventStream: true },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: SearchAllInput,
  output: SearchAllEvent,
  problems: ['unavailable'],
  async run(context, input) {
    const globs = acceptGlobs(input);
    const chosen = await chooseRepositories(context, input);
    const query: EachQuery = {
      pattern: input.pattern,
      path: '',
      order: 'best',
      globs,
      withRanges: true,
      maxLines: MAX_REPOSITORY_LINES,
      maxBytes: MAX_REPOSITORY_BYTES,
    };
    const targets = chosen.chosen.map(({ commit, id }) => ({ repositoryId: id, commit }));
    const outcomes = context.code.searchEach(targets, query, callOf(context))[Symbol.asyncIterator]();
    // An invalid pattern or a full queue must be known before anything is sent.
    const first = await outcomes.next();
    if (!first.done && first.value.outcome.kind === 'bad_pattern') {
      await outcomes.return?.();
      throw badPattern(first.value.outcome.message);
    }
    const putDefinitionsFirst = createDefinitionsFirst(context, query);
    const found = first.done ? none() : startingWith(first.value, outcomes);
    return stream(context, chosen, found, putDefinitionsFirst) as never;
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

async function* stream(
  context: Context,
  { chosen, leftOut }: ChosenRepositories,
  outcomes: AsyncIterable<Found>,
  putDefinitionsFirst: ReturnType<typeof createDefinitionsFirst>,
): AsyncGenerator<StreamEvent<z.input<typeof SearchAllEvent>>> {
  const gone = context.disconnected();
  const byId = new Map(chosen.map((each) => [each.id, each]));
  const missing: { name: string }[] = [];
  const late: { name: string }[] = [];
  let [searched, matching, matchingLines, number, more] = [0, 0, 0, 0, 0];
  try {
    for await (const group of inWindows(outcomes, WINDOW_MS)) {
      const having: FoundIn[] = [];
      for (const { outcome, repositoryId } of group) {
        const repository = byId.get(repositoryId)!;
        if (outcome.kind === 'missing') missing.push(repository);
        else if (outcome.kind !== 'found') late.push(repository);
        else {
          searched += 1;
          if (outcome.files.length > 0 || outcome.notSearched.length > 0)
            having.push({ place: repository, outcome });
        }
      }
      await putDefinitionsFirst(having);
      const found = having.map(({ outcome, place }) => present(byId.get(place.id)!, outcome));
      for (const repository of found.sort(byRank)) {
        number += 1;
        matching += repository.files.length > 0 ? 1 : 0;
        matchingLines += repository.matchingLines;
        more += repository.moreLines ? 1 : 0;
        yield { id: String(number), kind: 'repository', data: { repository, summary: null } };
      }
      if (matchingLines >= MAX_ALL_LINES) break;
    }
  } catch (error) {
    if (gone.aborted) return;
    throw error;
  }
  const unsearched = chosen.length - searched - missing.length - late.length;
  const summary = {
    searched,
    matching,
    matchingLines,
    leftOut: [
      ...leftOut,
      ...(more > 0 ? [`${repositories(more, 'has', 'have')} more matching lines than shown.`] : []),
      ...(missing.length > 0
        ? [`${repositories(missing.length, 'is', 'are')} still being fetched: ${named(missing)}.`]
        : []),
      ...(late.length > 0
        ? [`${repositories(late.length, 'was', 'were')} not searched in time: ${named(late)}.`]
        : []),
      ...(unsearched > 0
        ? [`${repositories(unsearched, 'was', 'were')} not searched because there are enough results.`]
        : []),
    ],
  };
  yield { id: String(number + 1), kind: 'summary', data: { repository: null, summary } };
}

function present(
  { commit, id, name }: ChosenRepositories['chosen'][number],
  { files, matchingLines, moreLines, notSearched }: EachOutcome & { kind: 'found' },
): Shown {
  const ranked = files.map((file) => ({ ...file, rank: file.rank ?? 0 }));
  return {
    repoId: id,
    repository: name,
    commit,
    rank: Math.min(Number.MAX_SAFE_INTEGER, ...ranked.map(({ rank }) => rank)),
    files: ranked,
    matchingLines,
    moreLines,
    notSearched: sentenceOf(notSearched),
  };
}

type Ranked = Pick<Shown, 'rank' | 'repository'>;

function byRank(one: Ranked, other: Ranked): number {
  return one.rank - other.rank || (one.repository < other.repository ? -1 : 1);
}
