/** The INFRASTRUCTURE domain: how it is built, deployed and configured. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isTool } from '../kinds-of-paths.ts';
import { type Listed, listSentence, someSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

/** By the beginning of the name; what begins the sentence for all of them, and for some. */
const KINDS = [
  ['docker:', 'Images are built from ', 'Images are built from, among others, '],
  ['compose:', 'Docker Compose starts ', 'Docker Compose starts, among others, '],
  ['kubernetes:', 'Its Kubernetes objects are ', 'Its Kubernetes objects include '],
  ['helm:', 'Its Helm charts are ', 'Its Helm charts include '],
  ['terraform:', 'Terraform manages ', 'Terraform manages, among others, '],
  ['ci:', 'CI runs ', 'CI runs, among others, '],
] as const;
/** Workflows that tend issues and pull requests, not the code. */
const CHORE =
  /stale|label|issue|pull request|\bPRs?\b|triage|greet|assign|dependabot|backport|sponsor|contributor|lock threads|welcome/i;
/** Set by every machine, shell or build. */
const GENERIC =
  /^(?:HOME|PATH|PWD|USER|SHELL|TERM\w*|TMPDIR|TEMP|TMP|LANG|LC_\w+|EDITOR|PAGER|CI|DEBUG|VERBOSE|NO_COLOR|FORCE_COLOR|NODE_ENV|NODE_OPTIONS|OUT_DIR|CARGO\w*|GOPATH|GOROOT|GITHUB_\w+|GH_TOKEN|XDG_\w+|ARTIFACTS|BUNDLE_GEMFILE|DJANGO_SETTINGS_MODULE|DEV|DEBIAN_FRONTEND|PYTHON[A-Z]+|RUST\w*|TEST_\w+)$/;

export function describeInfrastructure(code: DescribedCode): (Sentence | null)[] {
  const facts = code.of('infrastructure').filter(({ name, path }) => name.startsWith('ci:') || !isTool(path));
  const read = code
    .of('environment', 'uses')
    .filter(({ name, path }) => !isTool(path) && !GENERIC.test(name));
  const names = new Set(read.map(({ name }) => name));
  const set = code
    .of('environment')
    .filter(
      ({ detail, name, path }) =>
        detail !== 'ci' &&
        detail !== 'dockerfile' &&
        !isTool(path) &&
        !GENERIC.test(name) &&
        !names.has(name),
    );
  const variables = byUse(read);
  const isOther = ({ name }: PlacedFact) => !KINDS.some(([prefix]) => name.startsWith(prefix));
  return [
    ...KINDS.map(([prefix, all, some]) => listSentence(all, listed(facts, prefix), { some })),
    listSentence('It is also deployed with ', distinct(facts.filter(isOther))),
    someSentence('It reads environment variables such as ', variables),
    // Some are commented out, for whoever needs them.
    someSentence('Its deployment files name variables such as ', distinct(set)),
  ];
}

/** A variable that many files read says more. */
function byUse(facts: readonly PlacedFact[]): Listed[] {
  const files = Map.groupBy(facts, ({ name }) => name);
  return distinct(facts)
    .map((variable, index) => ({ variable, index, uses: files.get(variable.text)!.length }))
    .sort((left, right) => right.uses - left.uses || left.index - right.index)
    .map(({ variable }) => variable);
}

/** A digest names no image to a reader, and a placeholder none at all. */
function listed(facts: readonly PlacedFact[], prefix: string): Listed[] {
  const named = facts.flatMap((fact) => {
    const name = fact.name.replace(/@sha256:\w+$/, '');
    const isAbout =
      !/\$\{?\w|^docker:(?:localhost|scratch)/.test(name) && !(prefix === 'ci:' && CHORE.test(name));
    return name.startsWith(prefix) && isAbout ? [{ ...fact, name }] : [];
  });
  return distinct(named).map(({ place, text }) => ({ text: text.slice(prefix.length), place }));
}
