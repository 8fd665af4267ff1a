/** Repositories for tests, written directly, for tests that need no git. */
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Person } from '../service/factories.ts';
import type { TestService } from '../service/harness.ts';

type Service = Pick<TestService, 'db' | 'clock'>;

/** A repository without any code. With `members`, only they and admins see it. */
export async function makeRepositoryRow(
  { clock, db }: Service,
  organizationId: string,
  options: { name?: string; members?: Person[] } = {},
): Promise<{ id: string; name: string }> {
  const id = uuidv7();
  const name = options.name ?? `acme/${id}`;
  await db
    .insertInto('repositories')
    .values({
      id,
      organization_id: organizationId,
      name,
      created_at: clock.now(),
      visibility: options.members ? 'members' : 'organization',
    })
    .execute();
  for (const { userId } of options.members ?? []) {
    await db
      .insertInto('repository_members')
      .values({ repository_id: id, user_id: userId, organization_id: organizationId })
      .execute();
  }
  return { id, name };
}
