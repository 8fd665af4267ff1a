/**
 * After a push to the head or base branch of a plain-git pull request: whether it still merges. All that wait in a repository are
 * merged by one git for each base commit. What was found counts for the commits that were merged, so it is dropped if they moved.
 */
import { maskTexts } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { ConflictedFile, TreeMerge } from '../../../platform/core/ports/code-differences.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { BY_SERVICE } from '../../events/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { selectUncheckedMerges, type UncheckedMerge, updateUncheckedMerges } from './mergeability-store.ts';
import { type Conflicts, recordMergeability } from './record-mergeability.ts';

/** How many are merged by one git. */
const AT_ONCE = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface MergeabilityServices {
  db: Db;
  code: Pick<CodeReader, 'mergeTrees'>;
  log: Log;
  announce(topic: string): void;
  now(): Date;
}

interface Checked {
  row: UncheckedMerge;
  merge: TreeMerge;
}

export async function checkMergeability(
  services: MergeabilityServices,
  { organizationId, repositoryId }: { organizationId: string; repositoryId: string },
  signal: AbortSignal,
): Promise<void> {
  const caller = { organizationId, userId: 'service', credentialId: 'service' };
  for (let after = BEFORE_ALL; ; ) {
    const rows = await selectUncheckedMerges(services.db, repositoryId, { after, limit: AT_ONCE });
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    for (const [base, some] of Map.groupBy(rows, ({ base_commit }) => base_commit!)) {
      const checked = await mergeInto(services, repositoryId, base, some, { caller, signal });
      await record(services, organizationId, checked);
    }
  }
}

async function mergeInto(
  services: MergeabilityServices,
  repositoryId: string,
  base: string,
  rows: UncheckedMerge[],
  call: Call,
): Promise<Checked[]> {
  // Without a common history there is nothing to merge.
  const [mergeable, others] = [
    rows.filter(({ merge_base }) => merge_base !== null),
    rows.filter(({ merge_base }) => merge_base === null),
  ];
  const failed = others.map((row): Checked => ({ row, merge: { kind: 'failed' } }));
  if (mergeable.length === 0) return failed;
  const heads = mergeable.map(({ head_commit }) => head_commit!);
  try {
    const merges = await services.code.mergeTrees(repositoryId, { base, heads }, call);
    return [...failed, ...mergeable.map((row, index) => ({ row, merge: merges[index]! }))];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A commit is gone, or all together took too long.
    if (mergeable.length > 1) {
      const alone: Checked[] = [];
      for (const row of mergeable)
        alone.push(...(await mergeInto(services, repositoryId, base, [row], call)));
      return [...failed, ...alone];
    }
    services.log.warn(
      { err: error, pullRequestId: mergeable[0]!.id },
      'a pull request could not be merged to check it',
    );
    return [...failed, { row: mergeable[0]!, merge: { kind: 'failed' } }];
  }
}

async function record(
  services: MergeabilityServices,
  organizationId: string,
  checked: Checked[],
): Promise<void> {
  const concernsConflicts = ({ merge, row }: Checked) =>
    merge.kind === 'conflicts' || row.merge_state === 'conflicts';
  const quiet = checked.filter((one) => !concernsConflicts(one));
  await updateUncheckedMerges(
    services.db,
    quiet.map(({ merge, row }) => ({
      id: row.id,
      head: row.head_commit!,
      base: row.base_commit!,
      state: merge.kind === 'clean' ? 'clean' : 'unknown',
    })),
  );
  for (const { merge, row } of checked.filter(concernsConflicts)) {
    const conflicts = merge.kind === 'conflicts' ? await storableConflicts(merge) : null;
    await withPullRequestAs(
      services,
      { ...BY_SERVICE, organizationId },
      row.id,
      services.now(),
      async (change) => {
        const { base_commit: base, head_commit: head } = change.pullRequest;
        if (head !== row.head_commit || base !== row.base_commit) return;
        const states = { clean: 'clean', conflicts: 'conflicts', failed: 'unknown' } as const;
        await recordMergeability(change, states[merge.kind], conflicts);
      },
    );
  }
}

/** Code is stored here, so secrets in it are masked. */
async function storableConflicts({ files, total }: Conflicts): Promise<Conflicts> {
  const storableFiles: ConflictedFile[] = [];
  for (const file of files) {
    const texts = file.hunks.flatMap(({ base, context, head }) => [context, base, head]);
    // Secrets can have several lines.
    const masked = await maskTexts(texts.map((lines) => storable(lines.join('\n'))));
    const linesAt = (position: number) =>
      texts[position]!.length === 0 ? [] : masked[position]!.split('\n');
    const hunks = file.hunks.map((_, index) => ({
      context: linesAt(3 * index),
      base: linesAt(3 * index + 1),
      head: linesAt(3 * index + 2),
    }));
    storableFiles.push({ ...file, path: storable(file.path), hunks });
  }
  return { total, files: storableFiles };
}
