/** GET /api/v2/remote-fs/symbols: where a name is defined and used, in one repository or in all of them. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { acceptPath } from './accept-path.ts';
import { type ChosenRepositories, chooseRepositories } from './choose-repositories.ts';
import {
  FindSymbolInput,
  FindSymbolReply,
  MAX_DEFINITIONS,
  MAX_REFERENCES,
  MAX_SYMBOL_REPOSITORIES,
  type SymbolsInRepository,
} from './contract.ts';
import { named, repositories } from './describe-repositories.ts';
import { openCommit } from './open-commit.ts';
import { rankForFile } from './rank-for-file.ts';

type Place = { id: string; name: string; commit: string };
type Found = z.input<typeof SymbolsInRepository>;

/** Repositories that are looked at together. */
const AT_ONCE = 4;
/** The most likely definition can be beyond the first ones. */
const MAX_RANKED_DEFINITIONS = 500;

export const findSymbol = defineOperation({
  name: 'find-symbol',
  group: 'Code',
  summary: 'Find the definitions and references of a symbol',
  description:
    'From the syntax of the code: comments and strings don’t count. Names are matched exactly; symbols with the same name are listed together.',
  http: { method: 'GET', path: '/api/v2/remote-fs/symbols', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: FindSymbolInput,
  output: FindSymbolReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const { ref } = input;
    const repository = input.repository?.trim() || undefined;
    if (repository !== undefined) {
      const opened = await openCommit(context, { repository, ref });
      if ('candidates' in opened) return opened;
      const { commit, repository: place } = opened;
      const path = acceptPath(input.from ?? '', 'from');
      const file = path === '' ? null : await opened.read('fileFacts', { path });
      const from = file && { path, name: input.name, imports: file.imports };
      return { repositories: [await look(context, input, { ...place, commit }, from)], leftOut: [] };
    }
    return findSymbolIn(context, input, await chooseRepositories(context, { branch: ref || undefined }));
  },
});

export async function findSymbolIn(
  context: Context,
  input: Pick<z.output<typeof FindSymbolInput>, 'kind' | 'name'>,
  { chosen, leftOut }: ChosenRepositories,
): Promise<{ repositories: Found[]; leftOut: string[] }> {
  const places = chosen.slice(0, MAX_SYMBOL_REPOSITORIES);
  const found: Found[] = [];
  const failed: Place[] = [];
  const waiting = [...places];
  const work = async () => {
    for (let place = waiting.shift(); place; place = waiting.shift()) {
      try {
        found.push(await look(context, input, place));
      } catch (error) {
        // One repository that can't be read now must not hide the others.
        if (!(error instanceof Problem)) throw error;
        failed.push(place);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    repositories: found
      .filter(({ definitions, references }) => definitions.length + references.length > 0)
      .sort(byDefinitions),
    leftOut: [
      ...leftOut,
      ...(chosen.length > places.length
        ? [`Only the first ${MAX_SYMBOL_REPOSITORIES} repositories by name were looked at.`]
        : []),
      ...(failed.length > 0
        ? [`${repositories(failed.length, 'was', 'were')} not looked at: ${named(failed)}.`]
        : []),
    ],
  };
}

async function look(
  context: Context,
  { kind, name }: Pick<z.output<typeof FindSymbolInput>, 'kind' | 'name'>,
  { commit, id, name: repositoryName }: Place,
  from: Parameters<typeof rankForFile>[1] | null = null,
): Promise<Found> {
  const maxDefinitions = from ? MAX_RANKED_DEFINITIONS : MAX_DEFINITIONS;
  const limits = { maxDefinitions, maxReferences: MAX_REFERENCES };
  const found = await context.code.read('findSymbols', id, { commit, name, ...limits }, callOf(context));
  const all = from ? rankForFile(found.definitions, from) : found.definitions;
  const definitions = all.slice(0, MAX_DEFINITIONS);
  return {
    repository: { id, name: repositoryName },
    commit,
    definitions: definitions
      .filter((each) => kind === undefined || each.kind === kind)
      .map(({ container, endLine, isExported, kind: of, line, path }) => ({
        ...{ path, line, endLine, kind: of, container: container ?? null, isExported },
      })),
    references: found.references,
    moreDefinitions: found.moreDefinitions + all.length - definitions.length,
    moreReferences: found.moreReferences,
  };
}

/** Definitions first; then by name, whatever was ready first. */
function byDefinitions(one: Found, other: Found): number {
  const has = ({ definitions }: Found) => Number(definitions.length > 0);
  return has(other) - has(one) || (one.repository.name < other.repository.name ? -1 : 1);
}
