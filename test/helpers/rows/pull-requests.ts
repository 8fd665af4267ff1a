/** Pull requests for tests, written directly, for tests that need no git. */

import { insertPullRequest, type NewPullRequest } from '../../../src/features/pull-requests/index.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { inTransaction } from '../../../src/platform/db/index.ts';
import type { Person } from '../service/factories.ts';
import type { TestService } from '../service/harness.ts';

export { makeRepositoryRow } from './repository-rows.ts';

type Service = Pick<TestService, 'db' | 'clock'>;

export interface PullRequestOptions extends Partial<Omit<NewPullRequest, 'author'>> {
  author?: Person | NewPullRequest['author'];
  /** Its first head. */
  headCommit?: string;
}

const numbers = new Map<string, number>();

export async function makePullRequest(
  { clock, db }: Service,
  repository: { id: string },
  options: PullRequestOptions = {},
): Promise<{ id: string; number: number }> {
  const number = options.number ?? (numbers.get(repository.id) ?? 0) + 1;
  numbers.set(repository.id, number);
  const at = options.createdAt ?? clock.now();
  const { author, headCommit = 'a'.repeat(40), ...values } = options;
  return inTransaction(db, async (transaction) => {
    const { organization_id: organizationId } = await transaction
      .selectFrom('repositories')
      .select('organization_id')
      .where('id', '=', repository.id)
      .executeTakeFirstOrThrow();
    const change = await insertPullRequest(
      transaction,
      {
        id: uuidv7(),
        organizationId,
        repositoryId: repository.id,
        number,
        origin: 'git',
        title: `Change ${number}`,
        description: '',
        state: 'open',
        author: authorOf(author),
        headRepository: null,
        headBranch: `feature-${number}`,
        baseBranch: 'main',
        labels: [],
        url: null,
        createdAt: at,
        updatedAt: at,
        mergedAt: null,
        closedAt: null,
        ...values,
      },
      at,
    );
    if (!change) throw new Error(`The number ${number} is taken.`);
    change.record('pull_request_opened', {});
    await change.recordHead({
      commit: headCommit,
      baseCommit: 'b'.repeat(40),
      mergeBase: 'b'.repeat(40),
      forced: null,
    });
    change.set({ updated_at: options.updatedAt ?? at });
    await change.write({ kind: 'service', userId: null, credentialId: null });
    return { id: change.pullRequest.id, number };
  });
}

function authorOf(author: PullRequestOptions['author']): NewPullRequest['author'] {
  if (!author) return { kind: 'person', userId: null, accountId: null, name: 'Somebody' };
  if ('kind' in author) return author;
  return { kind: 'person', userId: author.userId, accountId: null, name: author.name };
}

/** An account on a code host, linked to a person if one is given. */
export async function makeHostAccount(
  { clock, db }: Service,
  organizationId: string,
  options: { name: string; linkedTo?: Person; isBot?: boolean },
): Promise<string> {
  const [hostId, id] = [uuidv7(), uuidv7()];
  const at = clock.now();
  await db
    .insertInto('code_hosts')
    .values({
      id: hostId,
      organization_id: organizationId,
      kind: 'gitea',
      url: `https://git.example/${hostId}`,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('host_accounts')
    .values({
      id,
      organization_id: organizationId,
      code_host_id: hostId,
      host_account_id: id,
      login: options.name.toLowerCase(),
      name: options.name,
      is_bot: options.isBot ?? false,
      ...(options.linkedTo && {
        user_id: options.linkedTo.userId,
        linked_by: 'admin' as const,
        linked_at: at,
      }),
    })
    .execute();
  return id;
}
