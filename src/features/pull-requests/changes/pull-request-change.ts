/**
 * The only way to change a pull request or anything that belongs to it, such as its discussions: its row is locked, and
 * every change is recorded as an event.
 */
import type { Db } from '../../../platform/db/index.ts';
import { type ChangeSource, SubjectChange } from '../../events/index.ts';
import { markPlansImplemented } from '../../plans/index.ts';
import type { PullRequestEventKind, PullRequestState, StopReason } from '../contract.ts';
import {
  insertHead,
  insertPullRequestRow,
  type NewHead,
  type NewPullRequest,
  type PullRequestRow,
  type PullRequestValues,
  updateHead,
  updatePullRequest,
} from '../store/pull-request-store.ts';
import { deleteWaitingMerge } from '../store/waiting-merge-store.ts';

export class PullRequestChange extends SubjectChange<
  PullRequestRow,
  PullRequestValues,
  PullRequestEventKind
> {
  protected readonly kind = 'pull_request';
  /** With the pending values. */
  pullRequest: PullRequestRow;
  #stateChanged: boolean;

  /** One that is new here may have been merged or closed long ago. */
  constructor(db: Db, pullRequest: PullRequestRow, at: Date, isNew = false) {
    super(db, pullRequest, at);
    this.pullRequest = pullRequest;
    this.#stateChanged = isNew && (pullRequest.state === 'merged' || pullRequest.state === 'closed');
    if (this.#stateChanged) this.set({ state: pullRequest.state });
  }

  override set(values: PullRequestValues): void {
    super.set(values);
    this.pullRequest = { ...this.pullRequest, ...values };
  }

  /** Adds a head unless it is the newest one already. The first head is part of the opening and not a separate event. */
  async recordHead(head: NewHead): Promise<boolean> {
    const { head_commit: from, head_count: count } = this.pullRequest;
    if (from === head.commit) return false;
    const position = count + 1;
    await insertHead(this.db, this.pullRequest, { ...head, position, at: this.at });
    this.set({
      head_commit: head.commit,
      base_commit: head.baseCommit,
      merge_base: head.mergeBase,
      head_count: position,
      merge_queued_at: null,
      owners_queued_at: null,
    });
    this.wantReview(count === 0 ? 'opened' : 'pushed');
    if (count > 0) {
      const { author, by, commit: headCommit, forced, suggestions, updatedWith } = head;
      const data = {
        ...{ from, headCommit, position, forced },
        ...(author && { author }),
        ...(suggestions && { suggestions }),
        ...(updatedWith && { updatedWith }),
      };
      this.record('pull_request_pushed', data, by);
    }
    return true;
  }

  /** The newest head is compared with another commit: the base branch moved, or is another one. */
  async setBase(base: {
    baseCommit: string | null;
    mergeBase: string | null;
    branch?: string;
  }): Promise<void> {
    const { base_branch: branch, base_commit: from, head_count: position, id, merge_base } = this.pullRequest;
    const values = { base_commit: base.baseCommit, merge_base: base.mergeBase };
    if (values.base_commit !== from || values.merge_base !== merge_base) {
      await updateHead(this.db, id, position, values);
      // Comments on removed lines are shown at the merge base.
      const isMoved = values.merge_base !== merge_base;
      this.set({
        ...values,
        merge_queued_at: null,
        owners_queued_at: null,
        ...(isMoved && { judged_head: null, judge_queued_head: null }),
      });
    }
    if (base.branch === undefined || base.branch === branch) return;
    this.set({ base_branch: base.branch });
    this.wantReview('pushed');
    this.record('pull_request_edited', { fields: ['base'], from: branch, to: base.branch });
  }

  /** Returns whether it changed. `at` is when it happened, if that was not just now. */
  setState(to: PullRequestState, data: Record<string, unknown> = {}, at: Date = this.at): boolean {
    const from = this.pullRequest.state;
    if (from === to) return false;
    this.set({
      state: to,
      merged_at: to === 'merged' ? at : null,
      closed_at: to === 'merged' || to === 'closed' ? at : null,
    });
    if (from === 'draft' && to === 'open') {
      this.wantReview('ready');
      // Owners are read again, so that they and the repository's reviewers are asked now, and who watches it is told.
      this.set({ owners_head: null, owners_queued_at: null, reviewers_asked_at: null, watched_head: null });
    }
    this.record('pull_request_state_changed', { from, to, ...data });
    this.#stateChanged = true;
    return true;
  }

  /** Queues a review; the settings decide whether it runs. What happened before the pull request was known here starts none. */
  wantReview(
    trigger: NonNullable<PullRequestRow['review_trigger']>,
    requestedBy: string | null = null,
  ): void {
    if (this.silent) return;
    this.set({ review_trigger: trigger, review_requested_by: requestedBy, review_queued_at: null });
  }

  protected update(values: PullRequestValues & { last_event: string }, hasEvents: boolean): Promise<void> {
    return updatePullRequest(this.db, this.pullRequest, {
      ...(hasEvents && { updated_at: this.at }),
      ...values,
    });
  }

  /** Turns off merge when ready, if it is on. */
  async endWaitingMerge(reason: StopReason, problem: string | null = null): Promise<void> {
    const userId = await deleteWaitingMerge(this.db, this.pullRequest.id);
    if (userId === undefined) return;
    const data = { isOn: false, userId, reason, ...(problem && { problem }) };
    this.record('pull_request_merge_when_ready', data);
  }

  /** Nothing waits for one that ended; a merge needs no event of its own. */
  async #endWaiting(): Promise<void> {
    const { id, origin, state } = this.pullRequest;
    if (!this.#stateChanged || origin !== 'git') return;
    if (state === 'closed') await this.endWaitingMerge('closed');
    if (state === 'merged') await deleteWaitingMerge(this.db, id);
  }

  /** Also of the plans that it implements. */
  override async write(source: ChangeSource): Promise<string[]> {
    await this.#endWaiting();
    const topics = await super.write(source);
    if (!this.#stateChanged) return topics;
    const { number, organization_id: organizationId, repository_id: repositoryId } = this.pullRequest;
    return [
      ...topics,
      ...(await markPlansImplemented(this.db, { organizationId, repositoryId, number }, this.at)),
    ];
  }
}

/** A new pull request without heads and events; undefined if its number is taken. The caller records and writes. */
export async function insertPullRequest(
  db: Db,
  values: NewPullRequest,
  at: Date,
): Promise<PullRequestChange | undefined> {
  const row = await insertPullRequestRow(db, values);
  return row && new PullRequestChange(db, row, at, true);
}
