/** Recognizes the usual sections of an agent's plan by their heading, however it is numbered, decorated or worded. */

export const SECTION_KINDS = [
  'why',
  'change',
  'repositories',
  'decisions',
  'questions',
  'steps',
  'verification',
  'other',
] as const;
export type SectionKind = (typeof SECTION_KINDS)[number];

/** Headings in lower case, without articles and qualifiers (see QUALIFIERS), in the singular. */
const NAMES: Record<Exclude<SectionKind, 'other'>, string> = {
  why: `why, why this change, why now, why this matters, why we need this, motivation, context, background, problem,
    problem statement, goal, objective, purpose, rationale, reason, intent, motivation and context, user problem,
    context and background, background and context, problem to solve, what we are solving`,
  change: `change, what changes, what change, what will change, what, approach, solution, design, overview, summary,
    tldr, tl dr, solution overview, approach overview, design overview, overview of change, architecture overview,
    summary of change, change summary, implementation approach, implementation detail, implementation summary,
    implementation overview, what to build, what we will do, strategy, implementation strategy, implementation change,
    code change, change to make, required change, executive summary, abstract, plan overview, plan summary`,
  repositories: `repository, repo, affected repository, affected repo, repository affected, repo affected,
    impacted repository, impacted repo, repository involved, repo involved, involved repository, involved repo,
    target repository, target repo, repository touched, repo touched, repository to change, repo to change,
    repository and service, repository in scope, repo in scope`,
  decisions: `decision, design decision, decision made, decision log, architecture decision, architectural decision,
    implementation decision, design choice, choice, decision taken, agreed decision, product decision,
    decision and rationale, decision and trade off, decision and tradeoff`,
  questions: `question, open question, unknown, unresolved question, outstanding question, clarifying question,
    clarification, clarification needed, open issue, open point, question for you, question for user,
    question for reviewer, question to answer, question for review, remaining question, known unknown, tbd,
    to be decided, to be determined, open decision`,
  steps: `step, implementation step, implementation plan, plan, task, todo, to do, todo list, to do list, task list,
    checklist, action item, action plan, plan of action, implementation, implementation task, implementation order,
    implementation checklist, implementation phase, implementation todo, next step, work item, work plan, work breakdown,
    step by step plan, step by step, execution plan, execution step, phase, milestone, development plan, order of work,
    plan step, migration step, task breakdown, step to implement, sequence, implementation sequence`,
  verification: `verification, verify, test plan, testing, test, how to verify, how to test, acceptance criteria,
    acceptance criterion, acceptance, acceptance test, verification plan, verification step, testing plan, testing strategy,
    test strategy, test case, test and verification, testing and verification, testing and validation,
    test and validation, validation, validation plan, validation step, how to validate, how we verify,
    how we will verify, success criteria, success criterion, definition of done, done when, manual testing,
    manual verification, quality assurance, qa, qa plan, test scenario, verification checklist, testing checklist,
    test checklist, test coverage, how we will know it works, how to check`,
};

const KIND_OF_NAME = new Map<string, SectionKind>(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    names.split(',').map((name) => [singular(name.trim().split(/\s+/)), kind as SectionKind]),
  ),
);

/** Words that say how, not what. */
const QUALIFIERS = new Set(
  `the a an our my this your proposed detailed high level recommended suggested key main overall initial technical core
   important major primary final brief short quick general concrete remaining current`.split(/\s+/),
);

/** `Step 2`, `Phase 1`: a numbered part of the work. */
const NUMBERED_PART =
  /^(?:step|phase|task|milestone|stage|part)\s+(?:\d{1,4}|[ivx]{1,5}|[a-z])\b(?:\s+of\s+\d{1,4}\b)?/;
const NUMBER = /^(?:\(?\d{1,4}(?:\.\d{1,4}){0,5}[.):]?|[ivx]{1,5}[.)]|\(?[a-z][.)])(?=\s|$)/;
const KEYCAP = /\ufe0f?\u20e3/g;
const PART_OF_PLAN = new Set(['step', 'phase', 'task', 'milestone', 'stage']);

/** No such heading is longer. */
const MAX_NAME_LENGTH = 80;
const MAX_HEADING_LENGTH = 150;

/** The kind of a heading from its text without Markdown. */
export function sectionKind(title: string, level: number): SectionKind {
  const whole = undecorated(title.slice(0, MAX_HEADING_LENGTH).toLowerCase().replace(KEYCAP, '.'));
  const part = NUMBERED_PART.exec(whole)?.[0] ?? '';
  const label = undecorated(whole.slice(part.length).replace(/^\s*[:.)–—-]/, ''));
  const kind = kindOfLabel(label, level);
  if (kind !== 'other' || part === '') return kind;
  return PART_OF_PLAN.has(part.split(/\s/)[0]!) ? 'steps' : 'other';
}

function kindOfLabel(label: string, level: number): SectionKind {
  const named = kindOfName(label);
  if (named !== 'other') return named;
  const end = /[:–—(]|\s-\s/.exec(label);
  // "Goal: cheaper reads" is a section about the goal; as a heading of the first level it is the plan's title.
  if (end && level === 1 && end[0] !== '(') return 'other';
  const name = end ? label.slice(0, end.index) : label;
  for (const part of [name, ...name.split(/\sand\s|[&/+,]/)]) {
    const kind = kindOfName(part);
    if (kind !== 'other') return kind;
  }
  return 'other';
}

function kindOfName(name: string): SectionKind {
  if (name.length > MAX_NAME_LENGTH) return 'other';
  const words = name.replace(/['’]/g, '').match(/[\p{L}\p{N}]+|&/gu) ?? [];
  const plain = words.map((word) => (word === '&' ? 'and' : word));
  const exact = KIND_OF_NAME.get(singular(plain));
  if (exact) return exact;
  const start = plain.findIndex((word) => !QUALIFIERS.has(word));
  return (start > 0 && KIND_OF_NAME.get(singular(plain.slice(start)))) || 'other';
}

/** Without emoji, numbering, colons and question marks around the words. */
function undecorated(title: string): string {
  let end = title.length;
  while (end > 0 && !/[\p{L}\p{N})]/u.test(title[end - 1]!)) end -= 1;
  const text = title.slice(0, end).replace(/^[^\p{L}\p{N}(]+/u, '');
  return text.replace(NUMBER, '').replace(/^[^\p{L}\p{N}]+/u, '');
}

function singular(words: string[]): string {
  return words
    .map((word) => {
      if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
      return word.length > 2 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
    })
    .join(' ');
}
