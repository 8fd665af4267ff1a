/**
 * Masks tokens in rows that were written before everything was masked on its way in. Continues where it was stopped, on any node,
 * and ends: each table is read once, in batches. Rows that are written meanwhile are masked already.
 */
import { maskValue } from '../../engines/review/index.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { describeAgain } from '../repositories/index.ts';
import {
  insertMaskedTables,
  lockUnmasked,
  type MaskedTable,
  saveMasked,
  selectStoredTexts,
  updateStoredTexts,
} from './masked-table-store.ts';

const ID = { id: 'uuid' } as const;

/** Every text that is derived from code, or that people, agents and code hosts wrote about it. */
export const MASKED_TABLES: readonly MaskedTable[] = [
  { name: 'agent_findings', key: ID, texts: ['reason'], json: ['candidate'] },
  { name: 'comment_edits', key: { comment_id: 'uuid', position: 'integer' }, texts: ['body'] },
  { name: 'commit_statuses', key: ID, texts: ['name', 'description', 'url'] },
  {
    name: 'discussions',
    key: ID,
    texts: ['commented_code', 'status_reason', 'sending_problem'],
    json: ['judgement'],
  },
  { name: 'events', key: { subject_id: 'uuid', number: 'bigint' }, json: ['data'] },
  { name: 'finding_decisions', key: ID, texts: ['note', 'subject', 'quote'] },
  { name: 'finding_verdicts', key: { finding_id: 'uuid', review_id: 'uuid' }, texts: ['reason'] },
  { name: 'plan_comments', key: ID, texts: ['body'] },
  { name: 'plan_reviews', key: ID, texts: ['note'] },
  { name: 'pull_request_comments', key: ID, texts: ['body', 'sending_problem'] },
  { name: 'pull_request_conflicts', key: { pull_request_id: 'uuid' }, json: ['files'] },
  { name: 'pull_request_merges', key: ID, texts: ['bypass_reason', 'problem'] },
  { name: 'waiting_merges', key: ID, texts: ['message'] },
  { name: 'pull_request_verdicts', key: ID, texts: ['note', 'dismissal_reason', 'sending_problem'] },
  { name: 'pull_requests', key: ID, texts: ['title', 'description', 'generated_description'] },
  {
    name: 'review_candidates',
    key: { run_id: 'uuid', position: 'integer' },
    texts: ['subject', 'title', 'scenario', 'quote', 'command', 'fix', 'fate_reason', 'confirmed_by'],
    json: ['evidence'],
  },
  {
    name: 'review_reports',
    key: { pull_request_id: 'uuid' },
    texts: ['check_title', 'check_text', 'summary', 'description', 'replaced_description'],
  },
  {
    name: 'review_trial_pull_requests',
    key: { trial_id: 'uuid', position: 'integer' },
    json: ['findings'],
  },
  { name: 'webhook_deliveries', key: ID, texts: ['payload'] },
];
/** Not read row by row: it is described again. */
const REPOSITORIES = 'repositories';
const NAMES = [...MASKED_TABLES.map(({ name }) => name), REPOSITORIES];
const BATCH = 100;
/** In one run of the job, so that a node that stops doesn't wait for long. */
const MAX_BATCHES = 20;

export async function maskStoredTexts(db: Db): Promise<void> {
  await insertMaskedTables(db, NAMES);
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) if (!(await maskNext(db))) return;
}

/** False when nothing is left to do here. */
function maskNext(db: Db): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const next = await lockUnmasked(transaction, NAMES);
    if (!next) return false;
    const table = MASKED_TABLES.find(({ name }) => name === next.name);
    if (!table) {
      await describeAgain(transaction);
      await saveMasked(transaction, next.name, { after: null, isFinished: true });
      return true;
    }
    const rows = await selectStoredTexts(transaction, table, next.after, BATCH);
    for (const row of rows) {
      const { json, texts } = row;
      // Masked together: a token that is found in one column is masked in all of them.
      const masked = await maskValue({ json, texts });
      if (JSON.stringify(masked) !== JSON.stringify({ json, texts }))
        await updateStoredTexts(transaction, table, row, masked);
    }
    const after = rows.at(-1)?.key ?? next.after;
    await saveMasked(transaction, table.name, { after, isFinished: rows.length < BATCH });
    return true;
  });
}
