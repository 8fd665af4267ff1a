/** The old and the new target of a symbolic link; a file that became one, or was one, is named. */
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { ChangedFile, FileDiff } from './diff-types.ts';
import { isLink } from './file-modes.ts';
import { CELL } from './table-roles.ts';

export function LinkPair({ diff, file }: { diff: FileDiff; file: ChangedFile }) {
  const targetOf = (sign: '-' | '+') =>
    diff.hunks
      .flatMap(({ lines }) => lines)
      .find((line) => line.startsWith(sign))
      ?.slice(1);
  return (
    <div {...CELL}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-4 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
        {file.oldMode && <Side name="Linked to" what={isLink(file.oldMode) ? targetOf('-') : undefined} />}
        {file.newMode && (
          <Side
            name={!file.oldMode ? 'Links to' : 'Now links to'}
            what={isLink(file.newMode) ? targetOf('+') : undefined}
          />
        )}
      </dl>
    </div>
  );
}

function Side({ name, what }: { name: string; what: string | undefined }) {
  return (
    <>
      <dt className="text-quiet">{what === undefined ? name.replace(/link.*/i, 'Was') : name}</dt>
      <dd className="font-mono text-[0.8125rem] wrap-anywhere">
        {what === undefined ? (
          <span className="font-sans text-quiet">a file</span>
        ) : (
          <MarkedText text={what} />
        )}
      </dd>
    </>
  );
}
