/** Completes dist after `tsc`: copies files that are read at run time, and removes files whose source no longer exists. */
import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');
const [SOURCE, BUILT] = [join(PROJECT, 'src'), join(PROJECT, 'dist')];

const filesIn = (folder: string) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

const isSource = (file: string) => file.endsWith('.ts');

for (const file of filesIn(SOURCE)) {
  if (!isSource(file)) cpSync(join(SOURCE, file), join(BUILT, file));
}

for (const file of filesIn(BUILT)) {
  const compiled = join(SOURCE, file.replace(/\.(js|d\.ts)$/, '.ts'));
  if (!existsSync(compiled) && !existsSync(join(SOURCE, file))) rmSync(join(BUILT, file));
}
