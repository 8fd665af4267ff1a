/** Queries for where discussions are at later heads, and for what was judged there. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

export interface JudgementWrite {
  discussionId: string;
  judgement: Record<string, unknown>;
}

export async function updateJudgements(db: Db, judgements: JudgementWrite[]): Promise<void> {
  if (judgements.length === 0) return;
  await sql`UPDATE discussions d SET judgement = j.judgement
    FROM unnest(${judgements.map(({ discussionId }) => discussionId)}::uuid[],
      ${judgements.map(({ judgement }) => JSON.stringify(judgement))}::jsonb[]) AS j (id, judgement)
    WHERE d.id = j.id`.execute(db);
}

/** A judgement from before the comment was edited says nothing about it now. */
export async function clearJudgement(db: Db, discussionId: string): Promise<void> {
  await db.updateTable('discussions').set({ judgement: null }).where('id', '=', discussionId).execute();
}

export interface PositionWrite {
  discussionId: string;
  outcome: 'exact' | 'moved' | 'changed' | 'gone';
  file: string;
  startLine: number;
  endLine: number;
}

export async function upsertPositions(
  db: Db,
  organizationId: string,
  commit: string,
  positions: PositionWrite[],
): Promise<void> {
  if (positions.length === 0) return;
  await sql`INSERT INTO discussion_positions (discussion_id, commit, organization_id, outcome, file, start_line, end_line)
    SELECT p.id, ${commit}, ${organizationId}::uuid, p.outcome, p.file, p.start_line, p.end_line
    FROM unnest(${positions.map((each) => each.discussionId)}::uuid[], ${positions.map((each) => each.outcome)}::text[],
      ${positions.map((each) => each.file)}::text[], ${positions.map((each) => each.startLine)}::int[],
      ${positions.map((each) => each.endLine)}::int[]) AS p (id, outcome, file, start_line, end_line)
    ON CONFLICT (discussion_id, commit) DO UPDATE SET outcome = excluded.outcome, file = excluded.file,
      start_line = excluded.start_line, end_line = excluded.end_line`.execute(db);
}

/** Where discussions were at heads with these positions, unless their code was gone there. */
export async function selectPlacesAt(
  db: Db,
  pullRequestId: string,
  wanted: { discussionId: string; position: number }[],
): Promise<Map<string, { commit: string; file: string; startLine: number; endLine: number }>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{
    id: string;
    commit: string;
    file: string;
    start_line: number;
    end_line: number;
  }>`SELECT p.discussion_id AS id, p.commit, p.file, p.start_line, p.end_line
    FROM unnest(${wanted.map(({ discussionId }) => discussionId)}::uuid[], ${wanted.map(({ position }) => position)}::int[])
      AS w (id, position)
    JOIN pull_request_heads h ON h.pull_request_id = ${pullRequestId} AND h.position = w.position
    JOIN discussion_positions p ON p.discussion_id = w.id AND p.commit = h.commit AND p.outcome <> 'gone'`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { commit: row.commit, file: row.file, startLine: row.start_line, endLine: row.end_line },
    ]),
  );
}
