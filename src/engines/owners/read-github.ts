/** Reads a CODEOWNERS file as GitHub does: a line that it can't read is left out, and a line without owners means nobody. */
import { emailOwner, linesOf, type Owner, type Problems, type Rule, type Section } from './owners-file.ts';
import { compilePattern } from './patterns/compile-pattern.ts';
import { parseGitHubGlob } from './patterns/parse-glob.ts';
import { ruleOf } from './rule-of.ts';

const NAME = /^@([\w-]{1,100}(?:\/[\w.-]{1,100})?)$/;

export function readGitHubSections(text: string, problems: Problems): Section[] {
  const rules: Rule[] = [];
  for (const { line, text: content } of linesOf(text)) {
    const [pattern, ...words] = content
      .replace(/(?<=\s)#.*$/, '')
      .trim()
      .split(/(?<!\\)\s+/);
    const owners = words.map(ownerNamed);
    const unknown = words[owners.indexOf(undefined)];
    if (unknown !== undefined) {
      problems.add(line, `“${unknown}” is not a user, team or email address; the line is skipped`);
      continue;
    }
    const rule = ruleOf(
      { line, pattern: pattern!, negated: false, owners: owners as Owner[] },
      problems,
      () => compilePattern(parseGitHubGlob(pattern!), { whole: true }),
    );
    if (rule) rules.push(rule);
  }
  return [{ name: null, optional: false, approvals: 1, rules }];
}

function ownerNamed(word: string): Owner | undefined {
  const name = NAME.exec(word)?.[1];
  return name === undefined ? emailOwner(word) : { kind: 'name', name };
}
