/** Routes that code or an OpenAPI document no longer has, and that something in the same repository still calls. */
import type { PlacedFact } from '../../../../platform/core/ports/code-facts.ts';
import type { Check, Found } from '../../check.ts';
import { type Change, isAdded, type ReviewedFile, removedLines } from '../../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const MAX_ROUTES = 200;
const MAX_FILES_READ = 400;
const MAX_SHOWN_USES = 5;
/** A path of one segment, such as `/health`, is anybody's. */
const MIN_SEGMENTS = 2;
const MIN_LITERAL_CHARACTERS = 4;
/** `app.post('/a/b'`, wherever `app` comes from. */
const REGISTERED = /\.(?:get|post|put|patch|delete|all|any|route|handle\w*)\(\s*["'`](\/[^"'`\s]*)["'`]/gi;
/** How frameworks write a part that can be anything. */
const VARIABLE_PART = /\/(?::[^/]+|\{[^/]*\}|<[^/]+>|\*)/g;

export interface RemovedRoute {
  /** `GET /users/{}`. */
  name: string;
  file: string;
  line: number;
  quote: string;
}

export const removedRoutes: Check = {
  name: 'removed_route',
  reviewer: 'breaking_changes',
  looksFor: 'removed routes that are still called',
  // A route can move to a router that gets its prefix in another file.
  isOffByDefault: true,
  async run(change, code) {
    const removed = await listRemovedRoutes(change, code);
    const files = await findRouteFiles(code, removed);
    if (!files) return [];
    return removed.flatMap((route): Found[] => {
      if (files.some(({ provides }) => provides.some((name) => isSameRoute(name, route.name)))) return [];
      // A call that comes with the change means another server, or a route that is written in a way that isn't known here.
      const uses = files.flatMap((file) =>
        file.uses.filter((use) => isSameRoute(use.name, route.name) && !isAdded(change.files, use)),
      );
      if (uses.length === 0) return [];
      const [first] = uses;
      const { name: subject, ...place } = route;
      return [
        {
          ...{ claim: 'contract', subject, ...place, side: 'base' },
          title: `${subject} was removed but is still called`,
          scenario: `${first!.path}:${first!.line} still calls ${subject}, which nothing in this repository serves anymore: the call fails with 404.`,
          evidence: uses
            .slice(0, MAX_SHOWN_USES)
            .map(({ line, path, quote }) => ({ side: 'head', path, line, quote })),
          command: `git grep -nF -e ${shellWord(longestLiteral(subject))} ${change.head.slice(0, 12)}`,
        },
      ];
    });
  },
};

/** Routes that a changed file had, and that no changed file has now. */
export async function listRemovedRoutes(change: Change, code: ReviewCode): Promise<RemovedRoute[]> {
  const files = change.files.filter(
    ({ fileClass }) => fileClass !== 'test' && fileClass !== 'vendored' && fileClass !== 'generated',
  );
  const lost: RemovedRoute[] = [];
  for (const file of files) lost.push(...(await routesOnRemovedLines(file, code)));
  if (lost.length === 0) return [];
  const kept: string[] = [];
  const unread = new Set<string>();
  for (const { change: how, oldPath, path } of files) {
    if (how === 'deleted') continue;
    const after = await code.facts('head', path);
    // A file that was not read whole may still have the route.
    if (!after || after.incomplete !== null) unread.add(oldPath ?? path);
    else kept.push(...routesOf(after.facts, 'provides').map(({ name }) => name));
  }
  const isGone = ({ file, name }: RemovedRoute) =>
    !unread.has(file) && !kept.some((each) => isSameRoute(each, name));
  const byName = new Map(lost.filter(isGone).map((each) => [each.name, each] as const));
  return [...byName.values()].slice(0, MAX_ROUTES);
}

/** A quoted path that isn't an import; reading all routes of a file takes much longer. */
function mayRouteInGo(line: string): boolean {
  return /["`][^"`]*\//.test(line) && !/^\s*(?:[\w.]+\s+)?"[^"]*"\s*$/.test(line);
}

async function routesOnRemovedLines(
  { change, hunks, oldPath, path }: ReviewedFile,
  code: ReviewCode,
): Promise<RemovedRoute[]> {
  if (change === 'added' || change === 'copied') return [];
  const isRemoved = (line: number) =>
    change === 'deleted' ||
    hunks.some(({ oldLines, oldStart }) => line >= oldStart && line < oldStart + oldLines);
  if (change !== 'deleted' && hunks.every(({ oldLines }) => oldLines === 0)) return [];
  const removed = removedLines({ hunks });
  // The text of a large file isn't known.
  if (path.endsWith('.go') && removed.length > 0 && !removed.some(({ text }) => mayRouteInGo(text)))
    return [];
  const file = oldPath ?? path;
  const before = routesOf((await code.facts('base', file))?.facts ?? [], 'provides').filter(
    ({ line, name }) => isRemoved(line) && isSpecific(name),
  );
  if (before.length === 0) return [];
  const lines = (await code.read('base', file))?.split('\n') ?? [];
  return before.map(({ line, name }) => ({ name, file, line, quote: lines[line - 1] ?? '' }));
}

export interface RouteFile {
  path: string;
  provides: string[];
  uses: { name: string; path: string; line: number; quote: string }[];
}

/** Files at the head that may serve or call one of the routes; null when there are too many to read. */
export async function findRouteFiles(code: ReviewCode, routes: RemovedRoute[]): Promise<RouteFile[] | null> {
  const literals = [...new Set(routes.map(({ name }) => longestLiteral(name)))];
  const { lines, truncated } = await code.find('head', literals, { wholeWords: false });
  const byPath = Map.groupBy(lines, ({ path }) => path);
  if (truncated || byPath.size > MAX_FILES_READ) return null;
  const files: RouteFile[] = [];
  for (const [path, found] of byPath) {
    const facts = (await code.facts('head', path))?.facts ?? [];
    const uses = routesOf(facts, 'uses').flatMap(({ line, name }) => {
      const quote = found.find((each: FoundLine) => each.line === line)?.text.trim();
      return quote === undefined ? [] : [{ name, path, line, quote }];
    });
    const called = new Set(uses.map(({ line }) => line));
    // A non-call may register the route, in a way that facts don't know.
    const registered = found.flatMap(({ line, text }) =>
      called.has(line) ? [] : [...text.matchAll(REGISTERED)].map(([, at]) => `ANY ${toRoute(at!)}`),
    );
    const provides = [...routesOf(facts, 'provides').map(({ name }) => name), ...registered];
    files.push({ path, provides, uses });
  }
  return files;
}

function toRoute(path: string): string {
  return path.replaceAll(VARIABLE_PART, '/{}');
}

/** The same path, and a method that can be the same one. */
export function isSameRoute(one: string, other: string): boolean {
  const [method, path] = one.split(' ');
  const [otherMethod, otherPath] = other.split(' ');
  return path === otherPath && (method === otherMethod || method === 'ANY' || otherMethod === 'ANY');
}

function routesOf(facts: Omit<PlacedFact, 'path'>[], role: PlacedFact['role']) {
  return facts.filter((fact) => fact.kind === 'route' && fact.role === role);
}

function isSpecific(name: string): boolean {
  const segments = name.split('/').filter((segment) => segment !== '' && !segment.endsWith(' '));
  return segments.length >= MIN_SEGMENTS && longestLiteral(name).length >= MIN_LITERAL_CHARACTERS;
}

function longestLiteral(name: string): string {
  const segments = name.slice(name.indexOf('/') + 1).split('/');
  return segments.reduce(
    (best, each) => (!each.includes('{}') && each.length > best.length ? each : best),
    '',
  );
}
