/** Changes files of a commit's tree through an index in a temporary folder. */
import type { FileEdit } from '../../../platform/core/ports/code-writer.ts';
import { readPath } from '../../../platform/core/text/path-text.ts';
import { asPathspecs } from '../history/pathspec.ts';
import { GitFailure } from '../run/git-failure.ts';
import { indexFileOf, type Workspace } from './workspace.ts';

const FILE = '100644';
const EXECUTABLE = '100755';
const UNSAFE_PART = /^(?:\.{0,2}|\.git)$/i;

/** Returns the new tree. A file stays executable unless its mode is given; another entry with its path is replaced. */
export async function editFiles(
  workspace: Workspace,
  on: string,
  files: readonly (FileEdit & { mode?: string | undefined })[],
): Promise<string> {
  const extraEnvironment = { GIT_INDEX_FILE: indexFileOf(workspace) };
  await workspace.run(['read-tree', on], { extraEnvironment });
  const entries: Buffer[] = [];
  for (const { content, mode: wanted, path } of files) {
    const name = readPath(path);
    // git would only warn, and leave the file out.
    if (
      name
        .toString('latin1')
        .split('/')
        .some((part) => UNSAFE_PART.test(part))
    )
      throw new GitFailure('update-index', 'exit', 0, 'unsafe path');
    if (content === null) {
      entries.push(Buffer.concat([Buffer.from(`0 ${'0'.repeat(on.length)}\t`), name, Buffer.from([0])]));
      continue;
    }
    const blob = await workspace.ask(['hash-object', '-w', '--stdin'], { input: content });
    const mode = wanted ?? (await modeOf(workspace, path));
    entries.push(Buffer.concat([Buffer.from(`${mode} ${blob}\t`), name, Buffer.from([0])]));
  }
  const input = Buffer.concat(entries);
  await workspace.run(['update-index', '-z', '--index-info'], { extraEnvironment, input });
  return await workspace.ask(['write-tree'], { extraEnvironment });
}

async function modeOf(workspace: Workspace, path: string): Promise<string> {
  const listing = ['ls-files', '--stage', '-z', '--', ...asPathspecs([path])];
  const extraEnvironment = { GIT_INDEX_FILE: indexFileOf(workspace) };
  const entries = (await workspace.run(listing, { extraEnvironment })).toString('latin1').split('\0');
  const name = readPath(path).toString('latin1');
  const entry = entries.find((each) => each.slice(each.indexOf('\t') + 1) === name);
  return entry?.startsWith(EXECUTABLE) ? EXECUTABLE : FILE;
}
