/** Writes reviewers and their versions, for operations and for the operator's import. Call it inside a transaction. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import { LIMITS, type ReviewerContent } from '../contract.ts';
import {
  countCustomReviewers,
  insertReviewer,
  insertVersion,
  type LockedReviewer,
  lockReviewers,
  selectReviewerByTitle,
  updateReviewer,
} from '../store/reviewer-store.ts';

/** A new custom reviewer; returns its id. */
export async function saveReviewer(
  db: Db,
  source: AuditSource,
  content: ReviewerContent,
  enabled: boolean,
): Promise<string> {
  const { at, organizationId, userId } = source;
  await lockReviewers(db, organizationId);
  await refuseTakenTitle(db, organizationId, content.title);
  if ((await countCustomReviewers(db, organizationId)) >= LIMITS.customReviewers) {
    throw new Problem(
      'conflict',
      `Your organization already has ${LIMITS.customReviewers} custom reviewers. Delete one first.`,
    );
  }
  const id = uuidv7();
  await insertReviewer(db, { id, organizationId, title: content.title, enabled, userId, at });
  await insertVersion(db, { ...content, reviewerId: id, number: 1, organizationId, userId, at });
  await recordAudit(db, source, {
    action: 'reviewer.created',
    subjectId: id,
    subjectName: content.title,
    detail: { enabled },
  });
  return id;
}

/** Another version, which becomes the active one unless it is to be tried first. */
export async function saveVersion(
  db: Db,
  source: AuditSource,
  reviewer: LockedReviewer,
  content: ReviewerContent,
  { activate = true }: { activate?: boolean } = {},
): Promise<void> {
  const { at, organizationId, userId } = source;
  const { id } = reviewer;
  const number = reviewer.newest_version + 1;
  if (number > LIMITS.versions) {
    throw new Problem(
      'conflict',
      `A reviewer can have at most ${LIMITS.versions} versions. Create another one.`,
    );
  }
  await refuseTakenTitle(db, organizationId, content.title, id);
  await insertVersion(db, { ...content, reviewerId: id, number, organizationId, userId, at });
  await updateReviewer(db, organizationId, id, {
    ...(activate && { title: content.title, active_version: number }),
    newest_version: number,
    updated_at: at,
  });
  await recordAudit(db, source, {
    action: 'reviewer.changed',
    subjectId: id,
    subjectName: activate ? content.title : reviewer.title,
    detail: {
      version: number,
      ...(!activate && { active: reviewer.active_version }),
      ...(content.title !== reviewer.title && { title: { from: reviewer.title } }),
    },
  });
}

export async function saveSwitch(
  db: Db,
  source: AuditSource,
  reviewer: Pick<LockedReviewer, 'id' | 'title'>,
  enabled: boolean,
  switchedOn?: string[],
): Promise<void> {
  await updateReviewer(db, source.organizationId, reviewer.id, {
    ...{ enabled, updated_at: source.at },
    ...(switchedOn && { switched_on: switchedOn }),
  });
  await recordAudit(db, source, {
    action: 'reviewer.switched',
    subjectId: reviewer.id,
    subjectName: reviewer.title,
    detail: { enabled, ...(switchedOn && { checks: switchedOn }) },
  });
}

/** Call it while reviewers are locked. */
export async function refuseTakenTitle(
  db: Db,
  organizationId: string,
  title: string,
  ownId?: string,
): Promise<void> {
  const taken = await selectReviewerByTitle(db, organizationId, title);
  if (taken && taken.id !== ownId) {
    throw new Problem('conflict', `A reviewer with the title ${taken.title} already exists.`);
  }
}
