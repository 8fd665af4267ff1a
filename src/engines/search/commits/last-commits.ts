/** Finds the commit that last changed each entry of a folder. One walk through the history finds all of them, newest first. */
import type { LastCommits } from '../../../platform/core/ports/code-differences.ts';
import type { CodeRequests } from '../../../platform/core/ports/code-reader.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { parseTree, readCommits, readFolderHistory } from '../../git/index.ts';
import type { HandlerCall } from '../../processes/index.ts';
import { matchEntries } from './match-entries.ts';
import { readTree } from './read-commit.ts';
import { findPath } from './read-tree-path.ts';
import type { RepositoryReader } from './repository-reader.ts';

/** A walk ends after this time, whatever it found. */
const MAX_WALK_MS = 20_000;
/** A reply comes after this time with what is known by then. */
const MAX_REPLY_MS = 1000;
/** A walk that nobody asks about ends. */
const ABANDONED_MS = 8000;
/** On a node. Each is two processes of git. */
const MAX_WALKS = 2;
const COMMITS_AT_ONCE = 500;
/** In the cache of comparisons. */
const BYTES_AN_ENTRY = 400;

type Params = CodeRequests['lastCommits']['params'];

interface Walk {
  found: LastCommits;
  /** Settles when the walk has ended; never rejects. */
  ended: Promise<unknown>;
  end(): void;
  abandoned: NodeJS.Timeout;
}

export interface LastCommitsReader {
  read(reader: RepositoryReader, params: Params, call: HandlerCall): Promise<LastCommits | null>;
}

export function createLastCommits({ maxWalks = MAX_WALKS, maxWalkMs = MAX_WALK_MS } = {}): LastCommitsReader {
  const walks = new Map<RepositoryReader, Map<string, Walk>>();
  const count = () => [...walks.values()].reduce((sum, { size }) => sum + size, 0);

  function start(reader: RepositoryReader, params: Params, entries: Map<string, string>): Walk {
    const key = keyOf(params);
    const stop = new AbortController();
    let isOver = false;
    const limit = setTimeout(() => {
      isOver = true;
      stop.abort();
    }, maxWalkMs);
    const found: LastCommits = {
      entries: [],
      commits: [],
      isComplete: entries.size === 0,
      isSearching: true,
    };
    const end = () => stop.abort();
    const ended = walkHistory(reader, params, entries, found, stop.signal)
      // The repository may be removed meanwhile; what was found is still true.
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(limit);
        clearTimeout(walk.abandoned);
        found.isSearching = false;
        if (found.isComplete || isOver)
          reader.differences.set(key, found, (1 + found.entries.length) * BYTES_AN_ENTRY);
        const own = walks.get(reader);
        own?.delete(key);
        if (own?.size === 0) walks.delete(reader);
      });
    const walk: Walk = { found, ended, end, abandoned: setTimeout(end, ABANDONED_MS) };
    walks.set(reader, (walks.get(reader) ?? new Map()).set(key, walk));
    return walk;
  }

  return {
    async read(reader, params, { signal }) {
      const entries = await entriesOf(reader, params);
      if (!entries) return null;
      const key = keyOf(params);
      const known = reader.differences.get(key) as LastCommits | undefined;
      if (known) return known;
      const running = walks.get(reader)?.get(key);
      // It is certain that nothing can be found: a name with a line feed can't be passed to git.
      if (/[\n\0]/.test(readPath(params.path).toString('latin1')))
        return { entries: [], commits: [], isComplete: false, isSearching: false };
      if (!running && count() >= maxWalks)
        return { entries: [], commits: [], isComplete: false, isSearching: true };
      const walk = running ?? start(reader, params, entries);
      clearTimeout(walk.abandoned);
      walk.abandoned = setTimeout(walk.end, ABANDONED_MS);
      await Promise.race([walk.ended, timeOf(MAX_REPLY_MS, signal)]);
      return walk.found;
    },
  };
}

const keyOf = ({ commit, path }: Params) => `last commits ${commit} ${path}`;

function timeOf(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The ids of the entries by their names' bytes; null when the path isn't a folder. */
async function entriesOf(
  reader: RepositoryReader,
  { commit, limit, path }: Params,
): Promise<Map<string, string> | null> {
  const folder = await findPath(reader, commit, readPath(path));
  if (folder?.kind !== 'folder') return null;
  const tree = await readTree(reader.batches, reader.trees, folder.id);
  const idBytes = folder.id.length / 2;
  const entries = new Map<string, string>();
  for (const { idStart, nameEnd, nameStart } of parseTree(tree, idBytes)) {
    if (entries.size >= limit) break;
    entries.set(
      tree.toString('latin1', nameStart, nameEnd),
      tree.toString('latin1', idStart, idStart + idBytes),
    );
  }
  return entries;
}

/** Adds to `found` while it walks. */
async function walkHistory(
  reader: RepositoryReader,
  { commit, path }: Params,
  entries: ReadonlyMap<string, string>,
  found: LastCommits,
  stopped: AbortSignal,
): Promise<void> {
  const { gitDir } = reader;
  const isDone = new AbortController();
  const matches = matchEntries(entries);
  const described = new Set<string>();
  let describing: Promise<unknown> = Promise.resolve();
  const describe = (decided: readonly { name: string; commit: string }[]) => {
    describing = describing.then(async () => {
      const fresh = [...new Set(decided.map((each) => each.commit))].filter((id) => !described.has(id));
      for (let at = 0; at < fresh.length; at += COMMITS_AT_ONCE) {
        const ids = fresh.slice(at, at + COMMITS_AT_ONCE);
        for (const { body: _, parents: __, ...each } of await readCommits(['--no-walk=unsorted'], ids, {
          gitDir,
        })) {
          described.add(each.commit);
          found.commits.push(each);
        }
      }
      for (const { commit: id, name } of decided)
        found.entries.push({ name: showPath(Buffer.from(name, 'latin1')), commit: id });
    });
  };
  const signal = AbortSignal.any([stopped, isDone.signal]);
  const idBytes = commit.length / 2;
  try {
    await readFolderHistory({ gitDir, commit, path: readPath(path).toString(), signal }, (version) => {
      const decided = matches.add(version, idBytes);
      if (decided.length > 0) describe(decided);
      if (matches.left() === 0) isDone.abort();
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await describing;
  }
  found.isComplete = matches.left() === 0;
}
