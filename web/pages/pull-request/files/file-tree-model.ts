/** Changed files as a tree of folders; a folder that only contains one folder is shown together with it. Pure. */

export interface Folder<File> {
  /** Its path without the folders above it that are shown on lines of their own. */
  name: string;
  path: string;
  folders: Folder<File>[];
  files: { name: string; file: File }[];
}

export function folderTree<File extends { path: string }>(files: readonly File[]): Folder<File> {
  const root: Folder<File> = { name: '', path: '', folders: [], files: [] };
  const known = new Map([['', root]]);
  const folderAt = (path: string): Folder<File> => {
    const found = known.get(path);
    if (found) return found;
    const slash = path.lastIndexOf('/');
    const folder: Folder<File> = { name: path.slice(slash + 1), path, folders: [], files: [] };
    known.set(path, folder);
    folderAt(path.slice(0, Math.max(0, slash))).folders.push(folder);
    return folder;
  };
  for (const file of files) {
    const slash = file.path.lastIndexOf('/');
    folderAt(file.path.slice(0, Math.max(0, slash))).files.push({ name: file.path.slice(slash + 1), file });
  }
  return { ...root, folders: root.folders.map(joined) };
}

function joined<File>(folder: Folder<File>): Folder<File> {
  const [only, ...others] = folder.folders;
  if (only && others.length === 0 && folder.files.length === 0)
    return joined({ ...only, name: `${folder.name}/${only.name}` });
  return { ...folder, folders: folder.folders.map(joined) };
}
