/** Moves the objects and refs of a clone next to a mirror into the mirror, file by file, even if objects are missing. */
import { access, mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runGit } from '../run/run-git.ts';

const MAX_LISTED_BYTES = 512 * 1024 * 1024;

export async function absorbClone(gitDir: string, clone: string): Promise<void> {
  for (const name of await newObjectFiles(clone)) {
    const target = join(gitDir, 'objects', name);
    if (await exists(target)) continue;
    await mkdir(dirname(target), { recursive: true });
    await rename(join(clone, 'objects', name), target);
  }
  const [before, after] = [await listRaw(gitDir), await listRaw(clone)];
  // A clone has only branches and tags; other refs are kept.
  const gone = [...before.keys()].filter((ref) => /^refs\/(?:heads|tags)\//.test(ref) && !after.has(ref));
  const moved = [...after].filter(([ref, id]) => before.get(ref) !== id);
  // Delete refs first: a branch `a` would block a branch `a/b`.
  await updateRefs(
    gitDir,
    gone.map((ref) => `delete ${ref}\0\0`),
  );
  await updateRefs(
    gitDir,
    moved.map(([ref, id]) => `update ${ref}\0${id}\0\0`),
  );
}

/** The index of a pack comes last, because readers find packs by their indexes. */
async function newObjectFiles(clone: string): Promise<string[]> {
  const names = await readdir(join(clone, 'objects'), { recursive: true });
  const files = names.filter((name) => /^pack\/pack-|^[0-9a-f]{2}\/[0-9a-f]+$|^info\/alternates$/.test(name));
  return files.sort((one, other) => Number(one.endsWith('.idx')) - Number(other.endsWith('.idx')));
}

/** By name, one character per byte. */
async function listRaw(gitDir: string): Promise<Map<string, string>> {
  const { stdout } = await runGit(['for-each-ref', '--format=%(objectname) %(refname)'], {
    gitDir,
    maxOutputBytes: MAX_LISTED_BYTES,
  });
  const lines = stdout.toString('latin1').split('\n').slice(0, -1);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

async function updateRefs(gitDir: string, commands: string[]): Promise<void> {
  if (commands.length === 0) return;
  const input = Buffer.from(commands.join(''), 'latin1');
  await runGit(['update-ref', '--no-deref', '--stdin', '-z'], { gitDir, input });
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
