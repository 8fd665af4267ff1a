/** Queries on the models of organizations and on what they used. */
import { sql } from 'kysely';
import type { ModelFormat, ModelUsage } from '../../platform/core/ports/model-endpoint.ts';
import type { Db } from '../../platform/db/index.ts';

/** A model without its key. */
export interface StoredModel {
  format: ModelFormat;
  url: string;
  model: string;
}

export interface Abilities {
  answers: boolean;
  callsTools: boolean;
  problem: string | null;
}

export interface TestedModels {
  finding: Abilities;
  secondLook: Abilities | null;
}

export async function selectModelSettings(db: Db, organizationId: string, { lock = false } = {}) {
  const row = await db
    .selectFrom('model_settings as m')
    .innerJoin('users as u', 'u.id', 'm.updated_by')
    .select(['m.finding', 'm.finding_key', 'm.second_look', 'm.second_look_key', 'm.run_tokens'])
    .select(['m.pull_request_tokens', 'm.month_tokens', 'm.tested', 'm.tested_at', 'm.updated_at'])
    .select(['m.updated_by', 'u.name as updated_by_name'])
    .where('m.organization_id', '=', organizationId)
    .$if(lock, (query) => query.forUpdate('m'))
    .executeTakeFirst();
  return (
    row && {
      ...row,
      finding: row.finding as StoredModel | null,
      second_look: row.second_look as StoredModel | null,
      tested: row.tested as TestedModels | null,
      budgets: {
        run: Number(row.run_tokens),
        pullRequest: Number(row.pull_request_tokens),
        month: Number(row.month_tokens),
      },
    }
  );
}

export type ModelSettingsRow = NonNullable<Awaited<ReturnType<typeof selectModelSettings>>>;

export async function upsertModelSettings(
  db: Db,
  settings: {
    organizationId: string;
    finding: StoredModel | null;
    findingKey: Buffer | null;
    secondLook: StoredModel | null;
    secondLookKey: Buffer | null;
    budgets: { run: number; pullRequest: number; month: number };
    userId: string;
    at: Date;
  },
): Promise<void> {
  const json = (model: StoredModel | null) => (model === null ? null : JSON.stringify(model));
  const values = {
    finding: json(settings.finding),
    finding_key: settings.findingKey,
    second_look: json(settings.secondLook),
    second_look_key: settings.secondLookKey,
    run_tokens: settings.budgets.run,
    pull_request_tokens: settings.budgets.pullRequest,
    month_tokens: settings.budgets.month,
    tested: null,
    tested_at: null,
    updated_by: settings.userId,
    updated_at: settings.at,
  };
  await db
    .insertInto('model_settings')
    .values({ organization_id: settings.organizationId, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}

export async function deleteModelSettings(db: Db, organizationId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('model_settings')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Unless the settings were changed meanwhile. */
export async function writeTest(
  db: Db,
  organizationId: string,
  test: { tested: TestedModels; at: Date; settingsOf: Date },
): Promise<void> {
  await db
    .updateTable('model_settings')
    .set({ tested: JSON.stringify(test.tested), tested_at: test.at })
    .where('organization_id', '=', organizationId)
    .where('updated_at', '=', test.settingsOf)
    .execute();
}

export interface UsageSubject {
  /** The id of the run, or of whatever else uses tokens. */
  id: string;
  organizationId: string;
  purpose: 'review' | 'architecture' | 'test';
  pullRequestId: string | null;
}

export async function addUsage(
  db: Db,
  subject: UsageSubject,
  used: ModelUsage & { model: string; at: Date },
): Promise<void> {
  await db
    .insertInto('model_usage')
    .values({
      id: subject.id,
      model: used.model,
      organization_id: subject.organizationId,
      purpose: subject.purpose,
      pull_request_id: subject.pullRequestId,
      month: monthOf(used.at),
      requests: 1,
      input_tokens: used.inputTokens,
      output_tokens: used.outputTokens,
    })
    .onConflict((conflict) =>
      conflict.columns(['id', 'model']).doUpdateSet({
        requests: sql`model_usage.requests + 1`,
        input_tokens: sql`model_usage.input_tokens + excluded.input_tokens`,
        output_tokens: sql`model_usage.output_tokens + excluded.output_tokens`,
      }),
    )
    .execute();
}

const SUMS = [
  sql<number>`coalesce(sum(requests), 0)::float8`.as('requests'),
  sql<number>`coalesce(sum(input_tokens), 0)::float8`.as('inputTokens'),
  sql<number>`coalesce(sum(output_tokens), 0)::float8`.as('outputTokens'),
] as const;

export function selectMonthUsage(db: Db, organizationId: string, at: Date) {
  return db
    .selectFrom('model_usage')
    .select(SUMS)
    .where('organization_id', '=', organizationId)
    .where('month', '=', monthOf(at))
    .executeTakeFirstOrThrow();
}

export function selectPullRequestUsage(db: Db, organizationId: string, pullRequestId: string) {
  return db
    .selectFrom('model_usage')
    .select(SUMS)
    .where('organization_id', '=', organizationId)
    .where('pull_request_id', '=', pullRequestId)
    .executeTakeFirstOrThrow();
}

/** Per model. */
export function selectRunUsage(db: Db, organizationId: string, runId: string) {
  return db
    .selectFrom('model_usage')
    .select(['model', 'requests'])
    .select([
      sql<number>`input_tokens::float8`.as('inputTokens'),
      sql<number>`output_tokens::float8`.as('outputTokens'),
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', runId)
    .orderBy('model')
    .execute();
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}
