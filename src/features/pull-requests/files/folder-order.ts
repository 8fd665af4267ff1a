/** The order in which the page shows files: as a tree, in each folder its folders before its files. Pure. */

export function inFolderOrder<File extends { path: string }>(files: readonly File[]): File[] {
  return ordered(files, 0);
}

/** All paths are the same up to `start`; folders keep the order of their first files. */
function ordered<File extends { path: string }>(files: readonly File[], start: number): File[] {
  const folders = new Map<string, File[]>();
  const own: File[] = [];
  for (const file of files) {
    const slash = file.path.indexOf('/', start);
    const name = file.path.slice(start, slash + 1);
    if (slash === -1) own.push(file);
    else if (folders.has(name)) folders.get(name)!.push(file);
    else folders.set(name, [file]);
  }
  return [...[...folders].flatMap(([name, inside]) => ordered(inside, start + name.length)), ...own];
}
