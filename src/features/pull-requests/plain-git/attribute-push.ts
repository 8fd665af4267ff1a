/** Says who pushed a head that a fetch brought: git doesn't, but what is pushed here is recorded before it is sent. */
import type { Db } from '../../../platform/db/index.ts';
import { BY_SERVICE, type ChangeSource } from '../../events/index.ts';
import { selectUpdater } from '../store/own-push-store.ts';
import type { NewHead } from '../store/pull-request-store.ts';
import { selectSuggestionCommits } from '../store/suggestion-commit-store.ts';

export interface Push {
  head: NewHead & { by: ChangeSource };
  /** The row of the commit, if it applies suggestions. */
  suggestionCommitId: string | undefined;
}

/** It is nobody's here if nobody applied suggestions, updated the branch or resolved conflicts with it. The caller who first sees the push didn't make it. */
export async function attributePush(
  db: Db,
  { branch, repositoryId }: { repositoryId: string; branch: string },
  head: NewHead,
): Promise<Push> {
  const { commit } = head;
  const [made] = await selectSuggestionCommits(db, repositoryId, [commit]);
  const update = made ? undefined : await selectUpdater(db, { repositoryId, branch, commit });
  const userId = made?.user_id ?? update?.user_id;
  if (!userId) return { head: { ...head, by: BY_SERVICE }, suggestionCommitId: made?.id };
  const by = { kind: 'session' as const, userId, credentialId: null };
  const what = { suggestions: made?.comment_ids.length, updatedWith: update?.base_branch };
  return { head: { ...head, ...what, author: undefined, by }, suggestionCommitId: made?.id };
}
