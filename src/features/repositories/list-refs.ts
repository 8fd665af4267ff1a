/** GET /api/v2/repositories/:repositoryId/refs: branches and tags, the default branch first. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/operations/page.ts';
import type { Db } from '../../platform/db/index.ts';
import { ListRefsInput, REF_KINDS, RefPage } from './contract.ts';
import { findRepository } from './find-repository.ts';
import { type RefKind, type RefRow, selectRef, selectRefs } from './store/ref-store.ts';
import type { RepositoryRow } from './store/repository-store.ts';

const MAX_CURSOR_NAME = 4000;

export const listRefs = defineOperation({
  name: 'list-refs',
  group: 'Repositories',
  summary: 'List branches and tags',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/refs', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListRefsInput,
  output: RefPage,
  problems: ['not_found'],
  async run(context, { cursor, kind, limit = DEFAULT_LIMIT, repositoryId, search }) {
    const { db } = context;
    const repository = await findRepository(context, repositoryId);
    const [afterKind, afterName] =
      readCursor(cursor, [
        (value) => (REF_KINDS as readonly string[]).includes(value),
        (value) => value.length <= MAX_CURSOR_NAME,
      ]) ?? [];
    const filter = { search: search === '' ? undefined : search, kind };
    const first = cursor === undefined ? await defaultRef(db, repository, filter) : undefined;
    const others = await selectRefs(db, repositoryId, {
      ...filter,
      without: repository.default_branch ?? undefined,
      after: afterKind === undefined ? undefined : { kind: afterKind, name: afterName! },
      limit: limit + 1 - (first ? 1 : 0),
    });
    const { nextCursor, page } = cutPage(first ? [first, ...others] : others, limit, (ref) =>
      // The default branch is followed by the first of the others.
      ref === first ? ['branch', ''] : [ref.kind, ref.name],
    );
    return {
      refs: page.map((ref) => ({
        ...ref,
        isDefault: ref.kind === 'branch' && ref.name === repository.default_branch,
      })),
      nextCursor,
    };
  },
});

/** The default branch, if it matches the filter. */
async function defaultRef(
  db: Db,
  { default_branch: name, id }: RepositoryRow,
  filter: { search?: string; kind?: RefKind },
): Promise<RefRow | undefined> {
  if (name === null || filter.kind === 'tag') return undefined;
  if (filter.search !== undefined && !name.toLowerCase().includes(filter.search.toLowerCase()))
    return undefined;
  return selectRef(db, id, 'branch', name);
}
