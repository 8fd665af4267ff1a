/** Reads a CODEOWNERS file as Gitea and Forgejo do: regular expressions for whole paths, and every rule that matches counts. */
import { linesOf, type Owner, type Problems, type Rule, type Section } from './owners-file.ts';
import { compilePattern } from './patterns/compile-pattern.ts';
import { parseRegularExpression } from './patterns/parse-regular-expression.ts';
import { ruleOf } from './rule-of.ts';

const NAME = /^@?([\w.-]{1,100}(?:\/[\w.-]{1,100})?)$/;

export function readGiteaSections(text: string, problems: Problems): Section[] {
  const rules: Rule[] = [];
  for (const { line, text: content } of linesOf(text)) {
    const [first, ...words] = wordsOf(content);
    if (first === undefined) continue;
    const owners = words.flatMap((word): Owner[] => {
      const name = NAME.exec(word)?.[1];
      if (name !== undefined) return [{ kind: 'name', name }];
      problems.add(line, `“${word.slice(0, 100)}” is not a user or team`);
      return [];
    });
    if (owners.length === 0) {
      problems.add(line, 'It has no owners; the line is skipped');
      continue;
    }
    const negated = first.startsWith('!');
    const pattern = negated ? first.slice(1) : first;
    // As Gitea writes it: with alternatives, the beginning belongs to the first one and the end to the last.
    const rule = ruleOf({ line, pattern, negated, owners }, problems, () =>
      compilePattern(parseRegularExpression(`^${pattern}$`), { whole: false }),
    );
    if (rule) rules.push(rule);
  }
  return [{ name: null, optional: false, approvals: 1, rules }];
}

/** A backslash makes the next character an ordinary one, so that a backslash in a regular expression is written twice. */
function wordsOf(content: string): string[] {
  const words: string[] = [];
  let word = '';
  let isEscaped = false;
  for (const character of content) {
    if (isEscaped) {
      word += character;
      isEscaped = false;
    } else if (character === '\\') isEscaped = true;
    else if (character === '#') break;
    else if (/\s/.test(character)) {
      if (word !== '') words.push(word);
      word = '';
    } else word += character;
  }
  return word === '' ? words : [...words, word];
}
