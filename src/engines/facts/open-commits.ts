/** A process's view of repositories: the files of commits, and which of them have facts. */
import { statSync } from 'node:fs';
import { type CommitFiles, MissingObject, openRepository, type RepositoryReader } from '../search/index.ts';
import type { FactFolders } from './messages.ts';
import { type FactSet, keyOf, type OpenFacts, openFacts } from './store/shard-set.ts';

const MAX_OPEN = 50;
/** Commits of one repository whose files are matched with the facts. */
const MAX_JOINED = 4;

export interface JoinedFiles {
  files: CommitFiles;
  set: FactSet;
  /** The number of each file's facts; -1 when there are none, -2 for symbolic links, which have none. */
  factsOf: Int32Array;
  /** The file that has the facts; -1 when the commit has no such file. */
  fileOf: Int32Array;
  /** How many files have no facts yet. */
  lacking: number;
  /** The files that come last among results; computed on first use. */
  ranks?: Uint8Array;
}

interface OpenRepository {
  folder: bigint;
  reader: RepositoryReader;
  facts: OpenFacts | undefined;
  joined: Map<string, JoinedFiles>;
}

/** The least recently used comes first. */
const open = new Map<string, OpenRepository>();

function repositoryOf({ factsFolder, gitDir }: FactFolders): OpenRepository {
  const folder = statSync(gitDir, { throwIfNoEntry: false, bigint: true });
  if (!folder) throw new MissingObject('This node has no mirror of the repository.');
  // A repository with a new URL gets a new folder, which invalidates everything read from the old one.
  if (open.get(gitDir)?.folder !== folder.ino) closeRepository(gitDir);
  const repository = open.get(gitDir) ?? {
    folder: folder.ino,
    reader: openRepository(gitDir, factsFolder),
    facts: undefined,
    joined: new Map(),
  };
  open.delete(gitDir);
  open.set(gitDir, repository);
  if (open.size > MAX_OPEN) closeRepository(open.keys().next().value!);
  return repository;
}

export function closeRepository(gitDir: string): void {
  const repository = open.get(gitDir);
  repository?.reader.close();
  repository?.facts?.close();
  open.delete(gitDir);
}

/** Shards can be read only until `read` returns or awaits something: another request may close them then. */
export async function readCommit<Result>(
  folders: FactFolders,
  commit: string,
  read: (joined: JoinedFiles) => Result | Promise<Result>,
): Promise<Result> {
  const repository = repositoryOf(folders);
  const tree = await repository.reader.treeIdOf(commit);
  const files = await repository.reader.filesOf(commit);
  repository.facts ??= openFacts(folders.factsFolder, files.idBytes);
  const set = repository.facts.present();
  const known = repository.joined.get(tree);
  repository.joined.delete(tree);
  const joined = known?.set === set ? known : join(files, set);
  repository.joined.set(tree, joined);
  if (repository.joined.size > MAX_JOINED) repository.joined.delete(repository.joined.keys().next().value!);
  return read(joined);
}

function join(files: CommitFiles, set: FactSet): JoinedFiles {
  const factsOf = new Int32Array(files.count).fill(-2);
  const fileOf = new Int32Array(set.fileCount).fill(-1);
  let lacking = 0;
  for (let file = 0; file < files.count; file += 1) {
    if (files.isLink[file]) continue;
    const facts = set.find(keyOf(files, file));
    factsOf[file] = facts;
    if (facts === -1) lacking += 1;
    else fileOf[facts] = file;
  }
  return { files, set, factsOf, fileOf, lacking };
}
