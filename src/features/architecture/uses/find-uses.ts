/** GET /api/v2/architecture/uses: who provides and who uses a package, route, event, table, contract, variable or symbol. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { chooseRepositories } from '../../remote-fs/index.ts';
import { FindUsesInput, FindUsesReply, MAX_PLACES_OF_USER, MAX_REPOSITORIES_SHOWN } from '../contract.ts';
import { findNamedSymbols, findTextMatches } from './find-named.ts';
import { factsNamed, symbolNamed, textPattern, withoutPrefix } from './matching-names.ts';
import { presentPlaces } from './present-places.ts';
import { findUses as selectUses, type UseRow } from './use-store.ts';

type Input = z.output<typeof FindUsesInput>;
type Reply = z.input<typeof FindUsesReply>;

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
    if (!isNothing(found)) return found;
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

async function find(context: Context, input: Input): Promise<Reply> {
  const known = await findKnown(context, input);
  const symbol = symbolNamed(input.kind, input.name);
  const isKnown = known.providers.length + known.outside.length + known.inside.length > 0;
  const looksAtCode = symbol !== null && (input.kind === 'symbol' || !isKnown);
  if (!looksAtCode && known.outside.length + known.inside.length > 0) return known;
  const chosen = await chooseRepositories(context, {});
  const notSeen = [...known.notSeen, ...chosen.leftOut];
  if (looksAtCode) {
    const found = await findNamedSymbols(context, symbol, chosen);
    known.providers = merge(known.providers, found.definedIn);
    known.outside = merge(known.outside, found.outside);
    known.inside = merge(known.inside, found.inside);
    notSeen.push(...found.leftOut);
    if (found.outside.length + found.inside.length > 0)
      notSeen.push('References are matched by name, so another symbol with the same name counts too.');
  }
  if (known.outside.length + known.inside.length > 0) return { ...known, notSeen };
  const { isCut, textMatches } = await findTextMatches(context, textPattern(input.kind, input.name), chosen);
  if (isCut) notSeen.push('Not all repositories were searched for the text, or not all lines are listed.');
  return { ...known, textMatches, notSeen };
}

const NEVER_SEEN =
  'Not seen: computed names, reflection, generated clients, dependency injection, templates, and code outside these repositories.';

/** From the stored facts. */
async function findKnown({ actor, db }: Context, { kind, name }: Input): Promise<Reply> {
  const names = factsNamed(kind, name);
  if (names.length === 0) {
    const message =
      kind === 'route'
        ? 'must be a path such as `GET /users/:id`, with at least one segment that is not a parameter'
        : `is not the name of a ${kind}`;
    throw invalidRequest([{ path: 'name', message }]);
  }
  const rows = await selectUses(db, actor, names, {
    repositories: MAX_REPOSITORIES_SHOWN + 1,
    places: MAX_PLACES_OF_USER,
  });
  const section = (wanted: UseRow['section']) => presentPlaces(rows.filter((row) => row.section === wanted));
  const [providers, outside, inside] = [section('providers'), section('outside'), section('inside')];
  return {
    providers: providers.repositories,
    outside: outside.repositories,
    inside: inside.repositories,
    textMatches: [],
    notSeen: [NEVER_SEEN],
    isComplete: providers.isComplete && outside.isComplete && inside.isComplete,
  };
}

/** A repository whose facts say it already is not listed again. */
function merge(known: Reply['outside'], found: Reply['outside']): Reply['outside'] {
  const ids = new Set(known.map(({ repoId }) => repoId));
  return [...known, ...found.filter(({ repoId }) => !ids.has(repoId))].slice(0, MAX_REPOSITORIES_SHOWN);
}
