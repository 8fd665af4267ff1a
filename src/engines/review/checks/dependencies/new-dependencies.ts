/** Describes changes of dependencies in one line of the summary: new ones, major updates and downgrades. Never a finding. */
import type { Fact } from '../../../../platform/core/ports/code-facts.ts';
import type { Check } from '../../check.ts';
import type { Change } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';

const MANIFEST =
  /(^|\/)(package\.json|composer\.json|go\.mod|Cargo\.toml|pyproject\.toml|Pipfile|setup\.(cfg|py)|[\w.-]*requirements[\w.-]*\.(txt|in)|pom\.xml|build\.gradle(\.kts)?|Gemfile|gems\.rb|Directory\.Packages\.props|[^/]+\.(gemspec|[cfv][sb]proj))$/;
const MAX_NAMED = 8;

export const newDependencies: Check = {
  name: 'new_dependencies',
  reviewer: 'dependency_risk',
  looksFor: 'new dependencies, major updates and downgrades, for the summary',
  run: async () => [],
  async note(change, code) {
    const [before, after] = [
      await dependenciesAt('base', change, code),
      await dependenciesAt('head', change, code),
    ];
    const names = [...after.keys()].sort();
    const added = names.filter((name) => !before.has(name));
    const moved = (direction: 1 | -1) =>
      names.flatMap((name) => {
        const [from, to] = [before.get(name), after.get(name)!];
        return from !== undefined && directionOf(from, to) === direction ? [`${name} (${from} → ${to})`] : [];
      });
    const sentences = [
      list('New dependencies', added),
      list('Major updates', moved(1)),
      list('Downgrades', moved(-1)),
    ].filter((sentence) => sentence !== '');
    return sentences.length === 0 ? null : sentences.join(' ');
  },
};

function list(title: string, names: string[]): string {
  if (names.length === 0) return '';
  const more = names.length - MAX_NAMED;
  return `${title}: ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Versions by name, of the manifests that changed. */
async function dependenciesAt(
  side: 'base' | 'head',
  change: Change,
  code: ReviewCode,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { fileClass, oldPath, path } of change.files) {
    if (!MANIFEST.test(path) || fileClass === 'test' || fileClass === 'vendored') continue;
    const at = side === 'head' ? path : (oldPath ?? path);
    for (const fact of (await code.facts(side, at))?.facts ?? []) {
      if (!isDependency(fact)) continue;
      found.set(fact.name.slice(fact.name.indexOf(':') + 1), fact.detail?.split(' ')[0] ?? '');
    }
  }
  return found;
}

/** Transitive dependencies and packages of the same repository are no news. */
function isDependency({ detail = '', kind, role }: Fact): boolean {
  return (
    kind === 'package' && role === 'uses' && !/(^| )indirect$|^(workspace|file|link|portal):/.test(detail)
  );
}

function directionOf(from: string, to: string): 1 | 0 | -1 {
  const [old, now] = [numbersOf(from), numbersOf(to)];
  if (!old || !now) return 0;
  const differing = now.findIndex((number, index) => number !== old[index]);
  if (differing < 0) return 0;
  if (now[differing]! < old[differing]!) return -1;
  return differing === 0 ? 1 : 0;
}

function numbersOf(version: string): number[] | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? /(\d+)/.exec(version);
  return match ? [1, 2, 3].map((index) => Number(match[index] ?? 0)) : undefined;
}
