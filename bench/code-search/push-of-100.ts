/** A push to measure with. */
import { type Corpus, git, importPushes } from './corpus.ts';

/** A commit on top of the head that changes a hundred files. */
export async function pushOf100(corpus: Corpus): Promise<string> {
  const paths = (await git(corpus.gitDir, 'ls-tree', '-r', '--name-only', corpus.head))
    .split('\n')
    .filter((path) => !path.startsWith('"'));
  const step = Math.floor(paths.length / 100);
  const changed = Array.from({ length: 100 }, (_, file) => paths[file * step]!);
  const text = Buffer.from(
    `// ${Date.now()}\n${'export const changed = true; // a line like any other\n'.repeat(100)}`,
  );
  await importPushes(corpus.gitDir, corpus.head, [changed], () => text);
  const after = await git(corpus.gitDir, 'rev-parse', 'main');
  await git(corpus.gitDir, 'update-ref', 'refs/heads/main', corpus.head);
  return after;
}
