/** Writes rows about the architecture of repositories directly, for tests that need no code. */
import { sql } from 'kysely';
import {
  factRows,
  replaceFacts,
  replaceSummaries,
  summaryRow,
} from '../../../src/features/architecture/index.ts';
import type { FactKind } from '../../../src/platform/core/ports/code-facts.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Person } from '../service/factories.ts';
import type { TestService } from '../service/harness.ts';
import { makeRepositoryRow } from './repository-rows.ts';

/** A row in every table about a repository's architecture; all texts contain the organization's name. */
export async function seedArchitecture(
  { clock, db }: Pick<TestService, 'clock' | 'db'>,
  seed: { organizationId: string; repositoryId: string; name: string; commit?: string },
): Promise<void> {
  const of = { organization_id: seed.organizationId, repository_id: seed.repositoryId };
  const { commit = 'ac'.repeat(20) } = seed;
  await db
    .insertInto('architecture_overviews')
    .values({
      ...of,
      commit,
      overview: JSON.stringify({
        files: 1,
        languages: [],
        folders: [],
        parts: [`${seed.name} part`],
        activity: { folders: [], people: [] },
        leftOut: [],
      }),
      described_at: clock.now(),
    })
    .execute();
  await db
    .insertInto('architecture_summaries')
    .values({
      ...of,
      domain: 'API',
      commit,
      sentences: JSON.stringify([{ text: `${seed.name} API.`, evidence: [{ path: 'README.md', line: 1 }] }]),
      summary: `${seed.name} API.`,
      words: sql<string>`to_tsvector('simple', ${`${seed.name} api`})`,
      main_words: sql<string>`to_tsvector('simple', ${seed.name})`,
    })
    .execute();
  await db
    .insertInto('architecture_code_words')
    .values({
      ...of,
      word: `${seed.name.toLowerCase()}th`,
      domain: 0,
      weight: 50,
      name: `${seed.name}Th`,
      path: 'src/things.ts',
      line: 1,
    })
    .execute();
  await db
    .insertInto('architecture_facts')
    .values({
      ...of,
      id: uuidv7(),
      kind: 'table',
      role: 'provides',
      name: `${seed.name.toLowerCase()}_things`,
      part: '',
      path: 'schema.sql',
      line: 1,
      detail: seed.name,
    })
    .execute();
}

/** A repository with summaries: texts by domain. With `members`, only they and admins see it. */
export async function describeRepository(
  service: Pick<TestService, 'clock' | 'db'>,
  organizationId: string,
  name: string,
  texts: Record<string, string>,
  options: { members?: Person[] } = {},
): Promise<{ id: string; name: string }> {
  const repository = await makeRepositoryRow(service, organizationId, { name, ...options });
  await writeSummaries(service, { ...repository, organizationId, commit: 'ab'.repeat(20) }, texts);
  return repository;
}

/** Lines such as `uses route GET /users/{} src/app.ts:3` become the facts of the repository, described at one commit. */
export async function writeFacts(
  { db }: Pick<TestService, 'db'>,
  repository: { id: string; organizationId: string },
  lines: readonly string[],
): Promise<void> {
  const facts = lines.map((line) => {
    const [, role, kind, name, path, at] = /^(provides|uses) (\w+) (.+) (\S+):(\d+)$/s.exec(line)!;
    const fact = { role: role as 'provides' | 'uses', kind: kind as FactKind, name: name! };
    return { ...fact, path: path!, line: Number(at) };
  });
  await replaceFacts(db, repository, factRows(facts, []).rows);
  await db
    .updateTable('repositories')
    .set({ described_head: 'ab'.repeat(20) })
    .where('id', '=', repository.id)
    .execute();
}

/** Texts by domain, each one sentence or several, with a place as evidence. */
export async function writeSummaries(
  { db }: Pick<TestService, 'db'>,
  repository: { id: string; organizationId: string; name: string; commit: string },
  texts: Record<string, string | string[]>,
): Promise<void> {
  const summaries = Object.entries(texts).map(([domain, sentences]) =>
    summaryRow(repository.name, {
      domain,
      sentences: [sentences].flat().map((text) => ({ text, evidence: [{ path: 'README.md', line: 3 }] })),
    }),
  );
  await replaceSummaries(db, repository, summaries);
}
