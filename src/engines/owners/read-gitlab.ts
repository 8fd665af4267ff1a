/** Reads a CODEOWNERS file as GitLab does: rules are in sections, which may be optional, need several approvals and have owners. */
import { emailOwner, linesOf, type Owner, type Problems, type Section } from './owners-file.ts';
import { compilePattern } from './patterns/compile-pattern.ts';
import { parseGitLabGlob } from './patterns/parse-glob.ts';
import { ruleOf } from './rule-of.ts';

const HEADING = /^(\^?)\[([^\]]{1,255})\](?:\[(-?\d{1,4})\])?(?:\s+(.*))?$/;
const NAME = /^@((?:[\w-][\w.-]{0,254})(?:\/[\w-][\w.-]{0,254}){0,20})$/;
const ROLE = /^@@(developer|maintainer|owner)s?$/i;

interface OpenSection extends Section {
  owners: Owner[];
}

/** Sections with the same name, whatever its case, are one. */
export function readGitLabSections(text: string, problems: Problems): Section[] {
  const first: OpenSection = { name: null, optional: false, approvals: 1, rules: [], owners: [] };
  const sections = new Map<string | null, OpenSection>([[null, first]]);
  let current = first;
  for (const { line, text: content } of linesOf(text)) {
    const heading = HEADING.exec(content);
    if (heading) current = openSection(sections, heading, line, problems);
    else {
      if (/^\^?\[[^\]]*$/.test(content))
        problems.add(line, 'The heading of a section is not closed; it is read as a path');
      addRule(current, line, content, problems);
    }
  }
  return [...sections.values()].map(({ owners: _, ...section }) => section);
}

function openSection(
  sections: Map<string | null, OpenSection>,
  [, caret, name, count, rest]: RegExpExecArray,
  line: number,
  problems: Problems,
): OpenSection {
  const approvals = count === undefined ? 1 : Number(count);
  if (approvals < 1) problems.add(line, `A section can’t need ${approvals} approvals; it needs 1`);
  const owners = readOwners(rest?.split(/\s+/) ?? [], line, problems);
  const optional = caret === '^';
  const known = sections.get(name!.toLowerCase());
  if (!known) {
    const section = { name: name!, optional, approvals: Math.max(approvals, 1), rules: [], owners };
    sections.set(name!.toLowerCase(), section);
    return section;
  }
  // If one of them is required, all of it is.
  known.optional &&= optional;
  known.approvals = Math.max(known.approvals, approvals);
  if (owners.length > 0) known.owners = owners;
  return known;
}

/** GitLab has no comments behind a rule, and reads owners in them. */
function addRule(section: OpenSection, line: number, content: string, problems: Problems): void {
  const [first, ...words] = content.split(/(?<!\\)\s+/);
  const negated = first!.startsWith('!');
  const pattern = negated ? first!.slice(1) : first!;
  const named = negated ? [] : readOwners(words, line, problems);
  const owners = named.length > 0 || negated ? named : section.owners;
  if (owners.length === 0 && !negated) problems.add(line, 'It has no owners, and neither has its section');
  const rule = ruleOf({ line, pattern, negated, owners }, problems, () =>
    compilePattern(parseGitLabGlob(pattern), { whole: true }),
  );
  if (rule) section.rules.push(rule);
}

function readOwners(words: string[], line: number, problems: Problems): Owner[] {
  return words.flatMap((word) => {
    const role = ROLE.exec(word)?.[1];
    if (role !== undefined) return [{ kind: 'role' as const, name: role.toLowerCase() }];
    const name = NAME.exec(word)?.[1];
    const owner = name === undefined ? emailOwner(word) : { kind: 'name' as const, name };
    if (owner) return [owner];
    if (word !== '')
      problems.add(line, `“${word.slice(0, 100)}” is not a user, group, role or email address`);
    return [];
  });
}
