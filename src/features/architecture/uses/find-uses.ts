/** GET /api/v2/architecture/uses: who provides and who uses a package, route, event, table, contract, variable or symbol. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { chooseRepositories } from '../../remote-fs/index.ts';
import { FindUsesInput, FindUsesReply, MAX_PLACES_OF_USER, MAX_REPOSITORIES_SHOWN } from '../contract.ts';
import {
  findNamedSymbols,
  findTextMatches,
  type NamedPlaces,
  placesOfDefinition,
  placesOfPackage,
} from './find-named.ts';
import {
  type FactName,
  factsNamed,
  inRepository,
  namesPackage,
  otherPrefixes,
  packagesOf,
  type SymbolName,
  symbolNamed,
  textPattern,
  withoutPrefix,
} from './matching-names.ts';
import { presentPlaces } from './present-places.ts';
import { rowsOfRoute, rowsOfTable } from './route-rows.ts';
import { findUses as selectUses, type UseRow } from './use-store.ts';

type Input = z.output<typeof FindUsesInput>;
type Reply = z.input<typeof FindUsesReply>;
type FoundNames = Awaited<ReturnType<typeof findNamedSymbols>>['repositories'];

export const findUses = defineOperation({
  name: 'find-uses',
  group: 'Architecture',
  summary: 'Find who uses something',
  description:
    'Searches the default branches of all repositories that you can see. Names must be equal after normalization: routes match in any spelling of their parameters, with the same method or one that stands for all; tables without quotes, schema and case; packages with or without their ecosystem. A symbol is also looked up by its name in the syntax of the code. If no use is found, the text is searched, and `notSeen` says what the answer leaves out.',
  http: { method: 'GET', path: '/api/v2/architecture/uses', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: FindUsesInput,
  output: FindUsesReply,
  problems: ['invalid_request'],
  async run(context, input) {
    const found = await find(context, input);
    if (!isNothing(found)) return isServed(found) ? found : withProviders(context, input, found);
    for (const name of withoutPrefix(input.kind, input.name)) {
      const shorter = await find(context, { kind: 'route', name });
      if (isNothing(shorter)) continue;
      const about = `Nothing has the whole path. This is about \`${name}\`, to which a router or the address of a client may add the rest.`;
      return { ...shorter, notSeen: [about, ...shorter.notSeen] };
    }
    return found;
  },
});

const isNothing = ({ inside, outside, providers, textMatches }: Reply) =>
  providers.length + outside.length + inside.length + textMatches.length === 0;

/** Whether it says who serves it, or is no route that somebody calls. */
const isServed = ({ inside, outside, providers }: Reply) =>
  providers.length > 0 || ![...outside, ...inside].some(({ places }) => places[0]?.kind === 'route');

/** Clients have the whole path; the file of the routes can lack a prefix that another file adds, such as `/admin`. */
async function withProviders(context: Context, input: Input, found: Reply): Promise<Reply> {
  for (const name of withoutPrefix(input.kind, input.name)) {
    const { providers } = await findKnown(context, { kind: 'route', name });
    if (providers.length === 0) continue;
    const serving = new Set(providers.map(({ repoId }) => repoId));
    const isOwn = ({ repoId }: { repoId: string }) => serving.has(repoId);
    return {
      ...found,
      providers,
      inside: [...found.inside, ...found.outside.filter(isOwn)],
      outside: found.outside.filter((each) => !isOwn(each)),
      notSeen: [
        `No file has the whole path of the route. The providers have \`${name}\`, to which a router may add the rest.`,
        ...found.notSeen,
      ],
    };
  }
  return found;
}

async function find(context: Context, input: Input): Promise<Reply> {
  const known = await findKnown(context, input);
  const symbol = symbolNamed(input.kind, input.name);
  // Facts have the first place of a symbol in each file that imports it; the syntax of the code has all, and those of its own package.
  const looksAtCode =
    symbol !== null && (input.kind === 'symbol' || namesPackage(input.name) || !isUsed(known));
  if (known.isAmbiguous || (!looksAtCode && isUsed(known))) return known;
  const chosen = await chooseRepositories(context, {});
  const notSeen = [...known.notSeen, ...chosen.leftOut];
  if (looksAtCode) {
    const all = await findNamedSymbols(context, symbol, chosen);
    const found =
      (await ofPackage(context, input, known, symbol, all.repositories)) ??
      (await placesOfDefinition(context, all.repositories, symbol));
    known.providers = merge(known.providers, found.definedIn);
    known.outside = merge(known.outside, found.outside);
    known.inside = merge(known.inside, found.inside);
    notSeen.unshift(...found.notes);
    notSeen.push(...all.leftOut);
    if (found.isAmbiguous) return { ...known, notSeen, isAmbiguous: true };
    if (found.outside.length + found.inside.length > 0)
      notSeen.push('References are matched by name, so another symbol with the same name counts too.');
  }
  if (known.outside.length + known.inside.length > 0) return { ...known, notSeen };
  const { isCut, textMatches } = await findTextMatches(context, textPattern(input.kind, input.name), chosen);
  if (isCut) notSeen.push('Not all repositories were searched for the text, or not all lines are listed.');
  return { ...known, textMatches, notSeen };
}

const isUsed = ({ inside, outside }: Pick<Reply, 'inside' | 'outside'>) => outside.length + inside.length > 0;

/** Null if the name says no package, or one that no file declares. */
async function ofPackage(
  { actor, db }: Context,
  { kind, name }: Input,
  known: Reply,
  symbol: SymbolName,
  found: FoundNames,
): Promise<NamedPlaces | null> {
  if (!namesPackage(name) || known.providers.length === 0) return null;
  const packages = factsNamed(kind, name)
    .flatMap(packagesOf)
    .map((each): FactName => ({ kind: 'package', name: each }));
  const limits = { repositories: MAX_REPOSITORIES_SHOWN, places: 1 };
  const using = new Set((await selectUses(db, actor, packages, limits)).map(({ repoId }) => repoId));
  for (const { repoId } of [...known.providers, ...known.outside, ...known.inside]) using.add(repoId);
  const providing = new Set(known.providers.map(({ repoId }) => repoId));
  const places = placesOfPackage(found, symbol, { providing, using });
  return places.inside.length + places.outside.length > 0 ? places : null;
}

const NEVER_SEEN =
  'Not seen: computed names, reflection, generated clients, dependency injection, templates, and code outside these repositories.';

const OTHER_PREFIX =
  'The same path with and without a common prefix such as `/api/v1` counts, because routers and clients often add it elsewhere.';

const manyTables = ({ count, repository }: { count: number; repository: string }, name: string) =>
  `${count.toLocaleString('en-US')} repositories have a table with this name, and nothing says which one is meant, so its uses are not listed. Ask again with the repository of one: \`${repository}#${name.trim()}\`.`;

/** From the stored facts. */
async function findKnown({ actor, db }: Context, { kind, name: written }: Input): Promise<Reply> {
  const { name, repository } = inRepository(written);
  const names = factsNamed(kind, name);
  if (names.length === 0) {
    const message =
      kind === 'route'
        ? 'must be a path such as `GET /users/:id`, with at least one segment that is not a parameter'
        : `is not the name of a ${kind}`;
    throw invalidRequest([{ path: 'name', message }]);
  }
  const found = await selectUses(db, actor, [...names, ...otherPrefixes(names)], {
    repositories: MAX_REPOSITORIES_SHOWN + 1,
    places: MAX_PLACES_OF_USER,
  });
  const ofRoute = rowsOfRoute(found, names);
  const { ambiguous, rows } = rowsOfTable(ofRoute.rows, repository);
  const section = (wanted: UseRow['section']) => presentPlaces(rows.filter((row) => row.section === wanted));
  const [providers, outside, inside] = [section('providers'), section('outside'), section('inside')];
  return {
    providers: providers.repositories,
    outside: outside.repositories,
    inside: inside.repositories,
    textMatches: [],
    notSeen: [
      ...(ambiguous ? [manyTables(ambiguous, name)] : []),
      ...(ofRoute.hasOtherPrefix ? [OTHER_PREFIX] : []),
      NEVER_SEEN,
    ],
    ...(ambiguous && { isAmbiguous: true }),
    isComplete: providers.isComplete && outside.isComplete && inside.isComplete,
  };
}

/** Places that facts have are not listed again. */
function merge(known: Reply['outside'], found: Reply['outside']): Reply['outside'] {
  const byId = new Map(found.map((each) => [each.repoId, each]));
  const merged = known.map((one) => {
    const other = byId.get(one.repoId);
    byId.delete(one.repoId);
    if (!other) return one;
    const listed = new Set(one.places.map(({ line, path }) => `${path}:${line}`));
    const places = [
      ...one.places,
      ...other.places.filter(({ line, path }) => !listed.has(`${path}:${line}`)),
    ];
    const shown = places.slice(0, MAX_PLACES_OF_USER);
    const more = Math.max(one.morePlaces ?? 0, other.morePlaces ?? 0);
    return { ...one, places: shown, morePlaces: more + places.length - shown.length };
  });
  return [...merged, ...byId.values()].slice(0, MAX_REPOSITORIES_SHOWN);
}
