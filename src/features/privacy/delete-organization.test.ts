/** Deleting an organization while background work goes on in it: both finish. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { untilWaiting } from '../../../test/helpers/database/waiting.ts';
import { postPlan } from '../../../test/helpers/rows/plans.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { deleteOrganization } from './delete-organization.ts';

const service = await startTestService();
const { acme, db, globex } = service;

it('waits for work that locks its rows in another order, and starts again', async () => {
  await postPlan(service, acme.member, {});
  await postPlan(service, globex.member, {});
  const deleting = Promise.withResolvers<Awaited<ReturnType<typeof deleteOrganization>>>();
  await db.transaction().execute(async (work) => {
    // PostgreSQL then ends the deletion of the two.
    await sql`SET LOCAL deadlock_timeout = '1min'`.execute(work);
    const { rows } =
      await sql`SELECT 1 FROM event_outbox WHERE organization_id = ${acme.id} FOR UPDATE`.execute(work);
    expect(rows.length).toBeGreaterThan(0);
    void deleteOrganization(db, acme.id).then(deleting.resolve, deleting.reject);
    await untilWaiting(db, 1);
    await sql`UPDATE organizations SET name = name WHERE id = ${acme.id}`.execute(work);
  });
  expect((await deleting.promise)?.plans).toBe(1);
  const { rows } = await sql<{ name: string }>`SELECT name FROM organizations`.execute(db);
  expect(rows).toEqual([{ name: 'Globex' }]);
});
