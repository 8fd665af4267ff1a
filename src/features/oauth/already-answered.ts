/** The problem when an agent's sign-in request was answered before. */
import { Problem } from '../../platform/core/errors/errors.ts';

export function alreadyAnswered(): Problem {
  return new Problem('conflict', 'This request has already been answered. Start again from the agent.');
}
