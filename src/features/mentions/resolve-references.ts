/** POST /api/v2/references: what references in texts lead to, for a whole page at once. Nothing that the caller can't see. */
import { type Context, callOf, defineOperation } from '../../context.ts';
import { findPeopleByHandle } from '../memberships/index.ts';
import { findTeamsByName } from '../teams/index.ts';
import { MAX_COMMITS, ResolvedReferences, ResolveReferencesInput } from './contract.ts';
import { selectNamedRepositories, selectNumbered, selectPeopleNames } from './reference-store.ts';

interface Resolved {
  reference: string;
  kind: 'person' | 'team' | 'pull_request' | 'commit';
  id: string;
  title: string;
  state: string | null;
  repositoryId: string | null;
}

const NUMBERED = /^(.*)#(\d{1,9})$/s;
const COMMIT = /^[0-9a-f]{7,64}$/;

export const resolveReferences = defineOperation({
  name: 'resolve-references',
  group: 'Inbox',
  summary: 'Resolve references in texts',
  description: 'People, teams, pull requests and commits, as the web app links them. Changes nothing.',
  http: { method: 'POST', path: '/api/v2/references', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ResolveReferencesInput,
  output: ResolvedReferences,
  problems: [],
  async run(context, { references, repositoryId }) {
    const asked = [...new Set(references)];
    return {
      references: [
        ...(await resolveNames(
          context,
          asked.filter((one) => one.startsWith('@')),
        )),
        ...(await resolveInRepositories(context, asked, repositoryId ?? null)),
      ],
    };
  },
});

async function resolveNames({ actor, db }: Context, asked: string[]): Promise<Resolved[]> {
  const nameOf = (reference: string) => reference.slice(1).toLowerCase();
  const names = asked.map(nameOf);
  const teams = await findTeamsByName(db, actor.organizationId, names);
  const rest = names.filter((name) => !teams.has(name));
  const people = await findPeopleByHandle(db, actor.organizationId, rest);
  const shown = await selectPeopleNames(db, [...people.values()]);
  return asked.flatMap((reference): Resolved[] => {
    const team = teams.get(nameOf(reference));
    const none = { state: null, repositoryId: null };
    if (team) return [{ reference, kind: 'team', id: team.id, title: team.name, ...none }];
    const userId = people.get(nameOf(reference));
    if (userId === undefined) return [];
    return [{ reference, kind: 'person', id: userId, title: shown.get(userId) ?? '', ...none }];
  });
}

async function resolveInRepositories(
  context: Context,
  asked: string[],
  repositoryId: string | null,
): Promise<Resolved[]> {
  const { actor, code, db } = context;
  const numbered = asked.flatMap((reference) => {
    const [, name, number] = NUMBERED.exec(reference) ?? [];
    return name === undefined ? [] : [{ reference, name: name.toLowerCase(), number: Number(number) }];
  });
  const commits = asked.filter((reference) => COMMIT.test(reference)).slice(0, MAX_COMMITS);
  if (numbered.length + commits.length === 0) return [];
  const repositories = await selectNamedRepositories(
    db,
    actor,
    numbered.map(({ name }) => name).filter(Boolean),
    repositoryId,
  );
  const here = repositories.find(({ id }) => id === repositoryId);
  const byName = new Map(repositories.map((repository) => [repository.folded_name, repository.id]));
  const wanted = numbered.flatMap(({ name, number, reference }) => {
    const id = name === '' ? here?.id : byName.get(name);
    return id === undefined ? [] : [{ reference, repositoryId: id, number }];
  });
  const rows = new Map(
    (await selectNumbered(db, wanted)).map((row) => [`${row.repository_id} ${row.number}`, row]),
  );
  const resolved = wanted.flatMap(({ number, reference, repositoryId: within }): Resolved[] => {
    const row = rows.get(`${within} ${number}`);
    if (!row) return [];
    return [
      {
        reference,
        kind: 'pull_request',
        id: row.id,
        title: row.title,
        state: row.state,
        repositoryId: within,
      },
    ];
  });
  if (here?.state !== 'ready') return resolved;
  for (const reference of commits) {
    const found = await code.findCommit(here.id, reference, callOf(context));
    if (found.kind !== 'found') continue;
    const title = found.commit.slice(0, 8);
    resolved.push({ reference, kind: 'commit', id: found.commit, title, state: null, repositoryId: here.id });
  }
  return resolved;
}
