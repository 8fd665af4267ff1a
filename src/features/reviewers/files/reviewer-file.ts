/**
 * A reviewer as a Markdown file: its facts in front matter, then its instructions, or its rules in a fenced block. What is
 * written is read back exactly.
 */
import { stringify } from 'yaml';
import { z } from 'zod';
import { requiredText, text } from '../../../platform/core/operations/shapes.ts';
import { LIMITS, PathGlobs, REVIEWER_KINDS } from '../contract.ts';
import { checkRules, type RuleProblem } from './check-rules.ts';
import { readFrontMatter } from './front-matter.ts';

const FrontMatter = z.strictObject({
  title: requiredText({ max: LIMITS.titleCharacters }),
  description: text({ max: LIMITS.descriptionCharacters }).default(''),
  enabled: z.boolean().default(true),
  kind: z.enum(REVIEWER_KINDS).default('instructions'),
  scopes: z
    .array(
      z.strictObject({
        repository: requiredText({ max: 300 }).nullable().default(null),
        paths: PathGlobs.default([]),
      }),
    )
    .max(LIMITS.scopes)
    .default([{ repository: null, paths: [] }]),
});
const Body = requiredText({ max: LIMITS.bodyCharacters });

/** A scope without a repository is every repository; no scope at all is nowhere. */
export type ReviewerFile = z.output<typeof FrontMatter> & { body: string };

export type ReadReviewerFile = { ok: true; file: ReviewerFile } | { ok: false; problems: RuleProblem[] };

export function writeReviewerFile({ body, ...facts }: ReviewerFile): string {
  const isEverywhere =
    facts.scopes.length === 1 && facts.scopes[0]!.repository === null && facts.scopes[0]!.paths.length === 0;
  const front = stringify({
    title: facts.title,
    ...(facts.description !== '' && { description: facts.description }),
    ...(!facts.enabled && { enabled: false }),
    ...(facts.kind !== 'instructions' && { kind: facts.kind }),
    ...(!isEverywhere && { scopes: facts.scopes.map(shortScope) }),
  });
  return `---\n${front}---\n\n${facts.kind === 'rules' ? fenced(body) : body}\n`;
}

function shortScope({ paths, repository }: ReviewerFile['scopes'][number]) {
  return { ...(repository !== null && { repository }), ...(paths.length > 0 && { paths }) };
}

/** With more backticks than any line of it. */
function fenced(rules: string): string {
  const longest = Math.max(2, ...Array.from(rules.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}yaml\n${rules}\n${fence}`;
}

export function readReviewerFile(source: string): ReadReviewerFile {
  const facts = readFrontMatter(source, FrontMatter);
  if (!facts.ok) return facts;
  const { rest } = facts;
  const blank = /^\r?\n/.exec(rest)?.[0] ?? '';
  const body = rest.slice(blank.length).replace(/\r?\n$/, '');
  const line = (source.slice(0, facts.length) + blank).split('\n').length;
  return readBody(facts.value, body, line);
}

function readBody(facts: z.output<typeof FrontMatter>, given: string, line: number): ReadReviewerFile {
  const body = facts.kind === 'rules' ? withoutFence(given) : given;
  if (body === undefined) return problem(line, 1, 'rules must be in a fenced block that starts with ```yaml');
  const checked = Body.safeParse(body);
  if (!checked.success) return problem(line, 1, `the text ${checked.error.issues[0]!.message}`);
  if (facts.kind === 'rules') {
    const problems = checkRules(body).map((each) => ({ ...each, line: each.line + line }));
    if (problems.length > 0) return { ok: false, problems };
  }
  return { ok: true, file: { ...facts, body } };
}

function withoutFence(given: string): string | undefined {
  const lines = given.trimEnd().split('\n');
  const fence = /^(`{3,})ya?ml\s*$/.exec(lines[0]!)?.[1];
  if (fence === undefined || lines.length < 3 || lines.at(-1) !== fence) return undefined;
  return lines.slice(1, -1).join('\n');
}

function problem(line: number, column: number, message: string): ReadReviewerFile {
  return { ok: false, problems: [{ line, column, message }] };
}
