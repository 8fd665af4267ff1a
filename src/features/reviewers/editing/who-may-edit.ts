/** Who may change a reviewer. */
import { type Actor, hasRole } from '../../../platform/core/operations/actor.ts';

type Editor = Pick<Actor, 'userId' | 'role'>;

/** Admins, and the creator of a custom reviewer as long as they are a member. Nobody edits a built-in one. */
export function mayEdit(
  { role, userId }: Editor,
  reviewer: { built_in: string | null; created_by: string | null },
): boolean {
  if (reviewer.built_in !== null) return false;
  return hasRole(role, 'admin') || (hasRole(role, 'member') && reviewer.created_by === userId);
}

/** People who may edit it, and admins for built-in ones. */
export function maySwitch(
  editor: Editor,
  reviewer: { built_in: string | null; created_by: string | null },
): boolean {
  return hasRole(editor.role, 'admin') || mayEdit(editor, reviewer);
}
