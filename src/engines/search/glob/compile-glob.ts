/**
 * Compiles a glob into a path matcher. A pattern without a slash matches file names in any folder, as in .gitignore;
 * with a slash it matches paths from the root; `docs/` matches everything in folders named docs. `./a` means `/a`,
 * as people type it in a shell.
 */
import { buildSteps, type Steps } from './build-steps.ts';
import { type CharacterSet, type GlobNode, GlobSyntaxError, parseGlob } from './parse-glob.ts';
import { DEAD, PathMatcher } from './path-matcher.ts';

export interface Glob {
  /** Whether the path in `bytes[start]` to `bytes[end - 1]`, without a leading slash, matches. */
  matches(bytes: Uint8Array, start: number, end: number): boolean;
  /** For patterns that match whole paths: matches folder by folder, so that shared prefixes are read once. */
  inFolders: FolderGlob | undefined;
}

/** Matches folder by folder. A folder's state is valid until the generation changes. */
export interface FolderGlob {
  generation(): number;
  root(): number;
  /** The state for a folder, from its parent's state and its name with the slash; `NOTHING` when nothing inside can match. */
  enter(state: number, bytes: Uint8Array, nameStart: number, end: number): number;
  /** Whether files directly in this folder can match; if not, files in its subfolders still can. */
  hasFiles(state: number): boolean;
  /** Whether a file in that folder matches, by its name. */
  matches(state: number, bytes: Uint8Array, nameStart: number, end: number): boolean;
}

export const NOTHING = DEAD;

export type CompiledGlob = { ok: true; glob: Glob } | { ok: false; message: string };

const SLASH = 0x2f;

export function compileGlob(pattern: string): CompiledGlob {
  if (pattern === '') return { ok: false, message: 'it is empty' };
  let nodes: GlobNode[];
  try {
    nodes = dropLeadingFolders(parseGlob(pattern.replace(/^\.\//, '/')));
  } catch (error) {
    if (error instanceof GlobSyntaxError) return { ok: false, message: error.message };
    throw error;
  }
  const tail = findTail(nodes);
  const rest = nodes.slice(0, nodes.length - tail.count);
  // `*.go`: the star matches anything before the tail, so the tail alone decides.
  const isTail = rest.length > 0 && rest.every(({ kind }) => kind === 'star');
  return { ok: true, glob: withTail(isTail ? ANY : createGlob(buildSteps(nodes)), tail.bytes) };
}

const ANY: Glob = { matches: () => true, inFolders: undefined };

/** Checks the end of a path first, which is fast and usually enough. */
function withTail({ inFolders, matches }: Glob, tail: Uint8Array): Glob {
  if (tail.length === 0) return { inFolders, matches };
  return {
    matches: (bytes, start, end) => endsWith(bytes, start, end, tail) && matches(bytes, start, end),
    inFolders: inFolders && {
      ...inFolders,
      matches: (state, bytes, nameStart, end) =>
        endsWith(bytes, nameStart, end, tail) && inFolders.matches(state, bytes, nameStart, end),
    },
  };
}

/** A leading `**` and slash before a pattern for names is redundant: matching names alone is faster. */
function dropLeadingFolders(nodes: GlobNode[]): GlobNode[] {
  const [first, second, third, ...rest] = nodes;
  const isLed = first?.kind === 'star' && second?.kind === 'star' && third?.kind === 'slash';
  // An alternative may be empty, and with nothing after the slash the pattern matches folders.
  const hasName = rest.some(({ kind }) => kind !== 'choice');
  return isLed && hasName && !rest.some(hasSlash) ? rest : nodes;
}

function hasSlash(node: GlobNode): boolean {
  return node.kind === 'slash' || (node.kind === 'choice' && node.alternatives.flat().some(hasSlash));
}

/** With braces, one pattern can match names, folders and paths: `{a,b/,c/d}`. */
function createGlob(steps: Steps): Glob {
  const { start, startInAnyFolder, nameEnds, folderEnds, rootEnds } = steps;
  const byName = nameEnds.length > 0 ? new PathMatcher(steps, start, nameEnds) : null;
  const byFolder = folderEnds.length > 0 ? new PathMatcher(steps, startInAnyFolder, folderEnds) : null;
  const byPath = rootEnds.length > 0 ? new PathMatcher(steps, start, rootEnds) : null;
  return {
    matches: (bytes, start, end) =>
      byName?.matches(bytes, findName(bytes, start, end), end) ||
      byFolder?.matches(bytes, start, end) ||
      byPath?.matches(bytes, start, end) ||
      false,
    inFolders: byName || (byFolder && byPath) ? undefined : createFolderGlob((byFolder ?? byPath)!),
  };
}

function createFolderGlob(matcher: PathMatcher): FolderGlob {
  return {
    generation: () => matcher.generation,
    root: () => matcher.startState,
    enter: (state, bytes, nameStart, end) => matcher.run(state, bytes, nameStart, end),
    hasFiles: (state) => matcher.acceptsNames(state),
    matches: (state, bytes, nameStart, end) => matcher.accepts(matcher.run(state, bytes, nameStart, end)),
  };
}

/** The literal characters at the end of the pattern, with which every matching path ends. */
function findTail(nodes: GlobNode[]): { bytes: Uint8Array; count: number } {
  let text = '';
  let count = 0;
  for (const node of nodes.toReversed()) {
    const sign = node.kind === 'character' ? onlySign(node.set) : undefined;
    if (!sign) break;
    text = sign + text;
    count += 1;
  }
  return { bytes: Buffer.from(text), count };
}

/** The only character of a set that has exactly one. */
function onlySign({ ranges, negated }: CharacterSet): string | undefined {
  const [first, last] = ranges[0] ?? [SLASH, SLASH];
  if (negated || ranges.length !== 1 || first !== last || first === SLASH) return undefined;
  const sign = String.fromCodePoint(first);
  return sign.isWellFormed() ? sign : undefined;
}

function endsWith(bytes: Uint8Array, start: number, end: number, tail: Uint8Array): boolean {
  const from = end - tail.length;
  if (from < start) return false;
  for (let index = tail.length - 1; index >= 0; index -= 1) {
    if (bytes[from + index] !== tail[index]) return false;
  }
  return true;
}

/** The start of the part after the last slash. */
function findName(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && bytes[at - 1] !== SLASH) at -= 1;
  return at;
}
