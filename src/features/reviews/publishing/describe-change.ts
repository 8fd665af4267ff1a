/** Describes a change by what it touches, from git alone. Pure: the same change has the same description. */
import { type FileClass, fileClassOf } from '../../../engines/review/index.ts';
import type { ChangedPath } from '../../../platform/core/ports/code-differences.ts';
import { code } from './finding-body.ts';

const MAX_LISTED_PATHS = 5;
const MAX_FOLDERS = 4;

const CLASSES: Record<FileClass, string> = {
  code: 'Code',
  test: 'Tests',
  docs: 'Documentation',
  data: 'Configuration and data',
  lock: 'Lock files',
  generated: 'Generated',
  vendored: 'Vendored',
};

type Changed = Pick<ChangedPath, 'added' | 'change' | 'deleted' | 'oldPath' | 'path'>;

/** `total`: of all changed files, of which `files` can be a part. */
export function describeChange({ files, total }: { files: Changed[]; total: number }): string {
  const sum = (lines: 'added' | 'deleted') => files.reduce((all, file) => all + (file[lines] ?? 0), 0);
  const byClass = Map.groupBy(files, ({ path }) => fileClassOf(path));
  const touched = (Object.keys(CLASSES) as FileClass[]).flatMap((each) => {
    const some = byClass.get(each);
    return some ? [`- ${CLASSES[each]}: ${countOf(some.length)} in ${foldersOf(some)}`] : [];
  });
  const paths = (change: Changed['change']) => files.filter((file) => file.change === change);
  const moves = [
    ...listed('Added', paths('added'), ({ path }) => code(path)),
    ...listed('Deleted', paths('deleted'), ({ path }) => code(path)),
    ...listed('Renamed', paths('renamed'), ({ oldPath, path }) => `${code(oldPath ?? '')} to ${code(path)}`),
  ];
  const beyond = total - files.length;
  return [
    `Changes ${countOf(total)}: ${sum('added')} added and ${sum('deleted')} removed lines${beyond > 0 ? ` in the first ${files.length}` : ''}.`,
    touched.join('\n'),
    moves.join('\n'),
    '_Written by Countersign from the changed files, because the description was empty. Edit it to replace it._',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function listed(what: string, files: Changed[], show: (file: Changed) => string): string[] {
  if (files.length === 0) return [];
  const more = files.length - MAX_LISTED_PATHS;
  const shown = files.slice(0, MAX_LISTED_PATHS).map(show).join(', ');
  return [`- ${what}: ${shown}${more > 0 ? ` and ${more} more` : ''}`];
}

/** The folders with most of the files, by their first two parts. */
function foldersOf(files: Changed[]): string {
  const byFolder = Map.groupBy(files, ({ path }) => path.split('/').slice(0, -1).slice(0, 2).join('/'));
  const sorted = [...byFolder].toSorted(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
  const shown = sorted
    .slice(0, MAX_FOLDERS)
    .map(([folder]) => (folder === '' ? 'the root folder' : code(folder)));
  const more = sorted.length - MAX_FOLDERS;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more folders` : ''}`;
}

function countOf(files: number): string {
  return `${files} file${files === 1 ? '' : 's'}`;
}
