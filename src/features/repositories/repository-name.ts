/**
 * The rules for repository names: parts of letters, digits, `.`, `_`, `-`, `+` and `~`, separated by `/`, as on code
 * hosts. A single part is allowed, because a local folder may have no owner. ASCII only, because names are
 * compared case-insensitively, and PostgreSQL and JavaScript must agree on what that means.
 */
import { NAME_CHARACTERS } from './contract.ts';

const PART = /^(?!\.{1,2}$)[\w.~+][\w.~+-]*$/;

/** A phrase that follows the field's name; undefined when the name is valid. */
export function nameProblem(name: string): string | undefined {
  if (name.length > NAME_CHARACTERS) return `must have at most ${NAME_CHARACTERS} characters`;
  if (name.split('/').every((part) => PART.test(part))) return undefined;
  return 'must be in the form owner/name, with only letters, digits, `.`, `_`, `-`, `+`, `~` and `/`';
}
