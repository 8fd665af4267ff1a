/** The INFRASTRUCTURE domain: how it is built, deployed and configured. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isTool } from '../kinds-of-paths.ts';
import { type Listed, someSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

/** By the beginning of the name; what begins the sentence. */
const KINDS = [
  ['docker:', 'Its Dockerfiles build on images such as '],
  ['compose:', 'Its Docker Compose files have services such as '],
  ['kubernetes:', 'Its Kubernetes manifests have objects such as '],
  ['helm:', 'It has Helm charts such as '],
  ['terraform:', 'Its Terraform files have resources and modules such as '],
  ['ci:', 'Its CI workflows include '],
] as const;
/** Workflows that tend issues and pull requests, not the code. */
const CHORE =
  /stale|label|issue|pull request|\bPRs?\b|triage|greet|assign|dependabot|backport|sponsor|contributor|lock threads|welcome|codeowners|coderabbit|claude|all checks/i;
/** Set by every machine, shell or build. */
const GENERIC =
  /^(?:HOME|PATH|PWD|USER|SHELL|TERM\w*|TMPDIR|TEMP|TMP|LANG|LC_\w+|EDITOR|PAGER|CI|DEBUG|VERBOSE|NO_COLOR|FORCE_COLOR|NODE_ENV|NODE_OPTIONS|OUT_DIR|CARGO\w*|GOPATH|GOROOT|GITHUB_\w+|GH_TOKEN|XDG_\w+|ARTIFACTS|BUNDLE_GEMFILE|DJANGO_SETTINGS_MODULE|DEV|DEBIAN_FRONTEND|PYTHON[A-Z]+|PY_COLORS|RUST\w*|TMUX\w*|COMPUTERNAME|HOST(?:NAME)?|LOGNAME|USERNAME|USERPROFILE|(?:LOCAL)?APPDATA|WINDIR|SYSTEMROOT|PROGRAM\w*|MIX_ENV|MODE|NEXT_RUNTIME|NEXT_PHASE|VERCEL\w*|RAILS_ENV|RAILS_VERSION|RACK_ENV|DISPLAY|WAYLAND_DISPLAY|COLORTERM|COLUMNS|LINES|NOTIFY_SOCKET|WATCHDOG_\w+|INVOCATION_ID|VIRTUAL_ENV|npm_\w+|\w*(?:^|_)TESTS?(?:_\w+)?)$/;

/** A single one of these says nothing. */
const MIN_NAMES = 2;
/** Workflows that every repository has. */
const ANY_WORKFLOW =
  /^ci:(?:ci|tests?|build|lint|release|main|checks?|circleci|appveyor|travis|codeql|docker|deploy|jenkins|stale)$/i;
/** Read while it is built or developed. */
const BUILD_FILE =
  /(?:^|\/)(?:Gemfile|Rakefile|mix\.exs|[^/]*\.gemspec|[^/]*config\.[cm]?[jt]s|build\.rs|setup\.py|conf\.py|gulpfile[^/]*)$/;

export function describeInfrastructure(code: DescribedCode): (Sentence | null)[] {
  const facts = code.of('infrastructure').filter(({ name, path }) => name.startsWith('ci:') || !isTool(path));
  const read = code
    .of('environment', 'uses')
    .filter(({ name, path }) => !isTool(path) && !BUILD_FILE.test(path) && !GENERIC.test(name));
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
    ...KINDS.map(([prefix, before]) => {
      const names = listed(facts, prefix);
      return prefix === 'ci:' && names.length < MIN_NAMES ? null : someSentence(before, names);
    }),
    someSentence('It has files for ', distinct(facts.filter(isOther))),
    someSentence('It reads environment variables such as ', variables),
    // Some are commented out, for whoever needs them.
    set.length < MIN_NAMES
      ? null
      : someSentence('Its deployment files name variables such as ', distinct(set)),
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
      !/\$\{?\w|^docker:(?:localhost|scratch)/.test(name) &&
      !(prefix === 'ci:' && (CHORE.test(name) || ANY_WORKFLOW.test(name)));
    // A template has kinds of objects without a name.
    const isNamed = prefix !== 'kubernetes:' || name.includes('/');
    return name.startsWith(prefix) && isAbout && isNamed ? [{ ...fact, name }] : [];
  });
  return distinct(named).map(({ place, text }) => ({ text: text.slice(prefix.length), place }));
}
