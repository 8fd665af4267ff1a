/** The files that a pull request changes, with its discussions between the lines. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isWaiting } from '../../../api/queries.ts';
import { EmptyState, ErrorState } from '../../../components/page.tsx';
import { filesQuery, type Range } from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery, untilPlaced } from '../../../parts/pull-request/threads/discussion-data.ts';
import { comparedHeads } from '../comparison/compared-heads.ts';
import { Difference } from './difference.tsx';
import { FilesSkeleton, NotHereYet } from './files-states.tsx';
import type { FilesViewProps } from './files-view-props.ts';
import { useMarkHeadSeen } from './use-mark-head-seen.ts';

const NO_DISCUSSIONS: never[] = [];

export function FilesView(props: FilesViewProps) {
  const { opened, pullRequest, search } = props;
  const compared = useMemo(() => comparedHeads(pullRequest, search, opened), [opened, pullRequest, search]);
  const files = useQuery({
    ...filesQuery(pullRequest.id, compared.range),
    enabled: pullRequest.headCommit !== null,
    // After a push the same two commits have to be named: what is being read stays.
    placeholderData: (before) =>
      before?.from === compared.range.from && before?.to === compared.range.to ? before : undefined,
  });
  const discussions = useQuery({
    ...discussionsQuery(pullRequest.id),
    refetchInterval: untilPlaced(pullRequest),
  });
  // Who looks at one commit has not seen the others.
  useMarkHeadSeen(pullRequest, compared.kind === 'heads' ? files.data?.to : undefined);
  if (pullRequest.headCommit === null || isWaiting(files))
    return <NotHereYet repositoryId={pullRequest.repository.id} />;
  if (files.error && !files.data)
    return <ErrorState error={files.error} onRetry={() => void files.refetch()} />;
  if (!files.data) return <FilesSkeleton />;
  if (files.data.files.length === 0 && isSameRange(compared.range))
    return <EmptyState title="Nothing changed">The branch has no changes compared with its base.</EmptyState>;
  return (
    <Difference
      // Another comparison starts at the top, with nothing opened or selected.
      key={`${files.data.from} ${files.data.to}`}
      {...props}
      compared={compared}
      files={files.data}
      discussions={discussions.data?.discussions ?? NO_DISCUSSIONS}
    />
  );
}

/** Two heads without a difference can still be changed in the pickers. */
function isSameRange({ from }: Range): boolean {
  return from === undefined;
}
