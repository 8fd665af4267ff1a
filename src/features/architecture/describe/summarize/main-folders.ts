/** Where files are: the few folders that hold most of them, and the folders with a telling name. */
import type { Listed } from './write-sentence.ts';

const MAX_FOLDERS = 5;
const MAX_STEPS = 10;
/** A folder with more of the files than this is taken apart. */
const TOO_MUCH = 0.4;
/** Folders with less of the files are not worth a name. */
const TOO_LITTLE = 0.03;

interface Folder {
  path: string;
  files: string[];
}

/** For a sentence that claims no more than that there is such code. */
export const exampleFolders = (paths: readonly string[]) => mainFolders(paths).folders;

/** `mainly in ` with disjoint folders, the largest first; `for example in ` when they hold less than half of these files. */
export function mainFolders(paths: readonly string[]): { before: string; folders: Listed[] } {
  const isNamed = ({ files }: Folder) => files.length >= paths.length * TOO_LITTLE;
  /** Null when it is better named as a whole: most of what is inside is in small folders, or directly in it. */
  const takenApart = ({ files, path }: Folder): Folder[] | null => {
    const inside = below(path, files);
    if (inside.length === 1 && inside[0]!.path === path) return null;
    const inNamed = inside.filter(isNamed).reduce((sum, each) => sum + each.files.length, 0);
    return inNamed * 2 >= files.length ? inside : null;
  };
  let folders = below('', paths);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const large = folders.find(
      (folder) => folder.files.length > paths.length * TOO_MUCH && takenApart(folder) !== null,
    );
    if (!large) break;
    folders = folders.flatMap((folder) => (folder === large ? takenApart(folder)! : [folder]));
  }
  const shown = largest(folders.filter(isNamed));
  const inShown = shown.reduce((sum, { files }) => sum + files.length, 0);
  return {
    before: inShown === paths.length ? 'in ' : inShown * 2 > paths.length ? 'mainly in ' : 'for example in ',
    folders: shown.map(listed),
  };
}

/** The outermost folders whose own name matches, with at least two of these files, the largest first; with `isMeant`, only such. */
export function foldersNamed(
  paths: readonly string[],
  name: RegExp,
  isMeant: (folder: string) => boolean = () => true,
): Listed[] {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const segments = path.split('/').slice(0, -1);
    const index = segments.findIndex((segment) => name.test(segment));
    if (index < 0) continue;
    const folder = segments.slice(0, index + 1).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const several = [...folders]
    .map(([path, files]) => ({ path, files }))
    .filter(({ files, path }) => files.length > 1 && isMeant(path));
  return largest(several).map(listed);
}

function largest(folders: readonly Folder[]): Folder[] {
  return folders
    .toSorted((left, right) => right.files.length - left.files.length || (left.path < right.path ? -1 : 1))
    .slice(0, MAX_FOLDERS);
}

const listed = ({ files, path }: Folder): Listed => ({
  text: `\`${path}\``,
  place: { path: files[0]!, line: 1 },
});

/** The subfolders of a folder with all files below them, and the folder itself with the files directly in it. */
function below(folder: string, paths: readonly string[]): Folder[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const byName = Map.groupBy(paths, (path) => {
    const end = path.indexOf('/', start);
    return end < 0 ? folder : path.slice(0, end);
  });
  return [...byName].filter(([path]) => path !== '').map(([path, files]) => ({ path, files }));
}
