/** Repositories for tests, written directly, for tests that need no git. */

import type { Clock } from '../../../src/platform/core/text/clock.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Db } from '../../../src/platform/db/index.ts';
import type { Person } from '../service/factories.ts';

type Service = { clock: Clock; db: Db };

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
