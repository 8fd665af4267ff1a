/** The parts of a CODEOWNERS file, whichever code host’s rules it follows. */
import type { Matcher } from './patterns/compile-pattern.ts';

/** Whose rules: Gitea's are also those of Forgejo; plain git has GitHub's. */
export type Dialect = 'github' | 'gitlab' | 'gitea';

/** Larger files are not read. GitHub says so of its own; others would take as long. */
export const MAX_BYTES = 3_000_000;
export const MAX_LINES = 10_000;
const MAX_PROBLEMS = 100;

/** Where each host looks; the first that exists counts. */
export const OWNERS_PATHS: Record<Dialect, readonly string[]> = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
  gitea: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS', '.forgejo/CODEOWNERS'],
};

/** `name` is a login, a group or a team, without the at sign: `ada`, `acme/core`. */
export interface Owner {
  kind: 'name' | 'email' | 'role';
  name: string;
}

export interface Rule {
  line: number;
  pattern: string;
  /** True for a regular expression that begins with `!`, and for a glob that excludes paths from its section. */
  negated: boolean;
  owners: Owner[];
  matches: Matcher;
}

export interface Section {
  /** Null for rules before the first section, and for hosts without sections. */
  name: string | null;
  optional: boolean;
  /** How many owners must approve. */
  approvals: number;
  rules: Rule[];
}

export interface LineProblem {
  /** Null for the whole file. */
  line: number | null;
  reason: string;
}

export interface OwnersFile {
  dialect: Dialect;
  sections: Section[];
  problems: LineProblem[];
}

/** The lines of a file that say something, without carriage returns and a byte order mark. */
export function linesOf(text: string): { line: number; text: string }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n', MAX_LINES)
    .map((raw, index) => ({ line: index + 1, text: raw.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

export class Problems {
  readonly list: LineProblem[] = [];

  add(line: number | null, reason: string): void {
    if (this.list.length < MAX_PROBLEMS) this.list.push({ line, reason });
  }
}

const EMAIL = /^[^\s@<>]{1,200}@[^\s@<>]{1,200}\.[^\s@<>.]{1,60}$/;

export function emailOwner(word: string): Owner | undefined {
  return EMAIL.test(word) ? { kind: 'email', name: word } : undefined;
}
