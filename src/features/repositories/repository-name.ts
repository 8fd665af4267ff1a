/**
 * What a repository may be called: parts of letters, digits, `.`, `_`, `-`, `+` and `~` with `/` between them, as the code
 * hosts have it. One part alone will do, as a folder on this machine may have no owner. ASCII alone, because names are
 * compared without regard to case, and PostgreSQL and JavaScript must agree on what that means.
 */
import { NAME_CHARACTERS } from './contract.ts';

const PART = /^(?!\.{1,2}$)[\w.~+][\w.~+-]*$/;

/** What is wrong with a name; undefined when nothing is. The words follow the field's name. */
export function nameProblem(name: string): string | undefined {
  if (name.length > NAME_CHARACTERS) return `must have at most ${NAME_CHARACTERS} characters`;
  if (name.split('/').every((part) => PART.test(part))) return undefined;
  return 'must be like owner/name: letters, digits, `.`, `_`, `-`, `+` and `~`, with `/` between the parts';
}
