/**
 * Publishes a review on GitLab: an approval or a request for changes, and draft notes that appear together. The verdict comes first: it is
 * not given twice, whereas a note that is there says that all of the review is. So a crash in between loses nothing.
 */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { HostError, isHostError } from '../host-error.ts';
import { listAll } from '../pages.ts';
import type { NewThread, PublishedReview, ReviewBatch } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { bodyWithComments } from '../review-text.ts';
import { withoutQuickActions, withSuggestionRange } from './note-text.ts';
import { filePosition, linePosition } from './position.ts';
import { readReviewers } from './read-reviewers.ts';
import { approvalsShape, createdShape, userShape, versionDetailsShape, versionShape } from './shapes.ts';

type Version = z.output<typeof versionDetailsShape>;

export async function publishReview(
  client: HostClient,
  path: string,
  batch: ReviewBatch,
): Promise<PublishedReview> {
  if (batch.verdict === 'approve') await approve(client, path, batch.commit);
  if (batch.verdict === 'request_changes') await requestChanges(client, path);
  await removeDrafts(client, path);
  const version = batch.comments.length === 0 ? null : await versionOf(client, path, batch.commit);
  const comments: PublishedReview['comments'] = [];
  for (const comment of batch.comments)
    comments.push({ key: comment.key, placed: await place(client, path, version, comment), commentId: null });
  const unplaced = batch.comments.filter((_, index) => comments[index]!.placed === 'body');
  const body = bodyWithComments(batch.body, unplaced);
  if (body !== '') await createDraft(client, path, { note: withoutQuickActions(body) });
  if (body !== '' || comments.length > 0)
    await client({ method: 'POST', path: `${path}/draft_notes/bulk_publish` });
  return { reviewId: null, comments };
}

/** Drafts that an earlier attempt left behind would be published with ours. */
async function removeDrafts(client: HostClient, path: string): Promise<void> {
  const request = { path: `${path}/draft_notes` };
  const drafts: number[] = [];
  for await (const { id } of listAll({ client, request, shape: createdShape, what: 'the drafts' }))
    drafts.push(id);
  for (const id of drafts) await client({ method: 'DELETE', path: `${path}/draft_notes/${id}` });
}

/** The diff at this head; null if GitLab never saw it. */
async function versionOf(client: HostClient, path: string, commit: string): Promise<Version | null> {
  const list = await client({ path: `${path}/versions` });
  const versions = readReply(z.array(versionShape), list.json, 'the versions');
  const found = versions.find(({ head_commit_sha }) => head_commit_sha === commit);
  if (!found) return null;
  const { json } = await client({ path: `${path}/versions/${found.id}`, query: { unidiff: true } });
  return readReply(versionDetailsShape, json, 'the version');
}

async function place(
  client: HostClient,
  path: string,
  version: Version | null,
  comment: NewThread,
): Promise<'lines' | 'file' | 'body'> {
  if (!version) return 'body';
  const note = withoutQuickActions(withSuggestionRange(comment.body, comment));
  const positions = [
    { placed: 'lines' as const, position: linePosition(version, comment) },
    { placed: 'file' as const, position: filePosition(version, comment) },
  ];
  for (const { placed, position } of positions)
    if (position && (await createDraft(client, path, { note, position }))) return placed;
  return 'body';
}

/** False if GitLab refuses the position. */
async function createDraft(
  client: HostClient,
  path: string,
  body: Record<string, unknown>,
): Promise<boolean> {
  try {
    await client({ method: 'POST', path: `${path}/draft_notes`, body });
    return true;
  } catch (error) {
    if (isHostError(error, 'invalid') && 'position' in body) return false;
    throw error;
  }
}

/** The commit makes sure that nothing newer is approved. */
async function approve(client: HostClient, path: string, commit: string): Promise<void> {
  try {
    await client({ method: 'POST', path: `${path}/approve`, body: { sha: commit } });
  } catch (error) {
    // GitLab answers 401 if the account approved already or may not approve, although the token is right.
    if (!isHostError(error, 'unauthorized')) throw error;
    const { json } = await client({ path: `${path}/approvals` });
    if (readReply(approvalsShape, json, 'the approvals').user_has_approved) return;
    throw new HostError('forbidden', 'The account may not approve this merge request.', { status: 401 });
  }
}

/** By a quick action, because the API has no other way; each one leaves a note, so not if our account did it before. */
async function requestChanges(client: HostClient, path: string): Promise<void> {
  const reviewers = await readReviewers(client, path);
  const { json } = await client({ path: '/api/v4/user' });
  const { id } = readReply(userShape, json, 'the account');
  if (reviewers.some(({ state, user }) => state === 'requested_changes' && user.id === id)) return;
  await client({ method: 'POST', path: `${path}/notes`, body: { body: '/request_changes' } });
}
