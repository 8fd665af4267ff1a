/** Makes a rule of a line, or says why its pattern can't be read. */
import type { Problems, Rule } from './owners-file.ts';
import type { Matcher } from './patterns/compile-pattern.ts';
import { BadPattern } from './patterns/expression.ts';

const MAX_PATTERN_CHARACTERS = 1000;
const MAX_OWNERS = 100;

export function ruleOf(
  rule: Omit<Rule, 'matches'>,
  problems: Problems,
  compile: () => Matcher,
): Rule | undefined {
  try {
    if (rule.pattern.length > MAX_PATTERN_CHARACTERS)
      throw new BadPattern(`it is longer than ${MAX_PATTERN_CHARACTERS} characters`);
    if (rule.owners.length > MAX_OWNERS) throw new BadPattern(`it has more than ${MAX_OWNERS} owners`);
    return { ...rule, matches: compile() };
  } catch (error) {
    if (!(error instanceof BadPattern)) throw error;
    problems.add(rule.line, `The pattern is not used: ${error.message}`);
    return undefined;
  }
}
