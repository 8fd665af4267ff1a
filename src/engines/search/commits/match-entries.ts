/** Decides which commit of a folder's history gave each entry the content that it has now. Pure. */
import { TreeEntries } from '../../git/index.ts';

/** Older versions are forgotten: parents rarely come long before their children. */
const MAX_KEPT_NAMES = 200_000;

const MAX_SEARCHED_NAMES = 20;

interface Version {
  commit: string;
  parents: readonly string[];
  tree: Buffer | null;
}

/** A commit that has entries as they are now, until all of its parents are known. */
interface Open {
  commit: string;
  names: Set<string>;
  parentsLeft: number;
}

export interface Decided {
  name: string;
  commit: string;
}

export interface EntryMatches {
  /** Versions come newest first; returns what is certain now. */
  add(version: Version, idBytes: number): Decided[];
  /** How many entries aren't decided. */
  left(): number;
}

/** By the bytes of the names, as Latin-1; the ids too. A commit changed an entry when none of its parents has it as it is now. */
export function matchEntries(entries: ReadonlyMap<string, string>): EntryMatches {
  const all: ReadonlySet<string> = new Set(entries.keys());
  const undecided = new Map(entries);
  /** The commits that wait for a parent. */
  const children = new Map<string, Open[]>();

  /** Versions that came, with the entries that they have as they are now. */
  const seen = new Map<string, ReadonlySet<string>>();
  let kept: string[] = [];
  let keptNames = 0;

  const remember = (commit: string, names: ReadonlySet<string>) => {
    seen.set(commit, names);
    kept.push(commit);
    keptNames += names.size;
    if (keptNames <= MAX_KEPT_NAMES) return;
    // Without its names nobody can tell what a later child changed, which is then left to earlier commits.
    for (const old of kept) seen.set(old, all);
    kept = [];
    keptNames = 0;
  };

  const decide = ({ commit, names }: Open): Decided[] => {
    const own = [...names].filter((name) => undecided.delete(name));
    return own.map((name) => ({ name, commit }));
  };

  return {
    left: () => undecided.size,
    add({ commit, parents, tree }, idBytes) {
      const names = tree ? sameEntries(tree, idBytes, undecided) : new Set<string>();
      const decided: Decided[] = [];
      for (const child of children.get(commit) ?? []) {
        for (const name of names) child.names.delete(name);
        child.parentsLeft -= 1;
        if (child.parentsLeft === 0) decided.push(...decide(child));
      }
      children.delete(commit);
      if (names.size > 0) {
        const later = parents.filter((parent) => !seen.has(parent));
        const open = { commit, names: new Set(names), parentsLeft: later.length };
        for (const parent of later) children.set(parent, [...(children.get(parent) ?? []), open]);
        // With wrong or equal times a parent can come first.
        for (const parent of parents) for (const name of seen.get(parent) ?? []) open.names.delete(name);
        if (later.length === 0) decided.push(...decide(open));
      }
      remember(commit, names);
      return decided;
    },
  };
}

/** Most of a history is walked for a few old entries, which are faster to search for than a tree is to read. */
function sameEntries(tree: Buffer, idBytes: number, wanted: ReadonlyMap<string, string>): Set<string> {
  const names = new Set<string>();
  if (wanted.size <= MAX_SEARCHED_NAMES) {
    for (const [name, id] of wanted) if (tree.includes(` ${name}\0${id}`, 0, 'latin1')) names.add(name);
    return names;
  }
  const entries = new TreeEntries(tree, idBytes);
  while (entries.next()) {
    const { idStart, nameEnd, nameStart } = entries;
    const name = tree.toString('latin1', nameStart, nameEnd);
    const id = wanted.get(name);
    if (id !== undefined && id === tree.toString('latin1', idStart, idStart + idBytes)) names.add(name);
  }
  return names;
}
