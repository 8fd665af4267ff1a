/** Resolves the conflicts with the base branch, each with one side, both or other text, and commits the merge to the head branch. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem, call } from '../../../api/client.ts';
import { operationQuery, untilReady } from '../../../api/queries.ts';
import { Button, ButtonLink } from '../../../components/button.tsx';
import { CommandLine } from '../../../components/copy.tsx';
import { ProblemNotice } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../../components/page.tsx';
import { useToast } from '../../../components/toast.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { resolveCommands } from '../header/resolve-commands.ts';
import { ConflictEditor } from './conflict-editor.tsx';
import {
  type Conflicts,
  canResolve,
  type File,
  filesToSend,
  filesWithMarkers,
  keepResolutions,
  keptResolutions,
  keyOf,
  openConflicts,
  type Resolution,
  type Resolutions,
} from './resolutions.ts';

interface ConflictsViewProps {
  pullRequest: PullRequest;
  onUpdated(commit: string): void;
}

export function ConflictsView({ onUpdated, pullRequest }: ConflictsViewProps) {
  const query = useQuery({
    ...operationQuery('list-merge-conflicts', { pullRequestId: pullRequest.id }),
    ...untilReady,
    // Conflicts that are being resolved don't change by themselves.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingRows rows={2} />;
  if (query.data.total === 0)
    return (
      <EmptyState
        title={`No conflicts with ${pullRequest.baseBranch}`}
        action={
          <ButtonLink to="/pull-requests/$pullRequestId" params={{ pullRequestId: pullRequest.id }}>
            Conversation
          </ButtonLink>
        }
      />
    );
  return (
    <Resolving
      pullRequest={pullRequest}
      conflicts={query.data}
      isLoading={query.isFetching}
      onReload={() => void query.refetch()}
      onUpdated={onUpdated}
    />
  );
}

interface ResolvingProps extends ConflictsViewProps {
  conflicts: Conflicts;
  isLoading: boolean;
  onReload(): void;
}

function Resolving({ conflicts, isLoading, onReload, onUpdated, pullRequest }: ResolvingProps) {
  const { allowedVerdicts, baseBranch, baseCommit, headBranch, headCommit, id: pullRequestId } = pullRequest;
  const [chosen, setChosen] = useState<Resolutions>(() => keptResolutions(pullRequestId));
  const choose = (key: string, resolution: Resolution) => {
    setChosen((before) => ({ ...before, [key]: resolution }));
    keepResolutions(pullRequestId, { ...chosen, [key]: resolution });
  };
  const [isReminded, setReminded] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const view = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the header alone fills the screen.
    view.current?.focus({ preventScroll: true });
    view.current?.scrollIntoView();
  }, []);
  const toast = useToast();
  const navigate = useNavigate();
  const commit = useMutation({
    mutationFn: () =>
      call('resolve-merge-conflicts', {
        ...{ pullRequestId, head: conflicts.head, base: conflicts.base },
        files: filesToSend(conflicts, chosen),
      }),
    async onSuccess({ commit: made }) {
      keepResolutions(pullRequestId, {});
      onUpdated(made);
      toast(`${baseBranch} was merged into ${headBranch}.`);
      await navigate({ to: '/pull-requests/$pullRequestId', params: { pullRequestId } });
    },
  });
  const isStale = conflicts.head !== headCommit || conflicts.base !== baseCommit;
  const { open, total } = openConflicts(conflicts, chosen);
  const isPossible = canResolve(conflicts);
  const marked = filesWithMarkers(conflicts, commit.error);
  const submit = () => {
    setReminded(open.length > 0);
    if (open.length === 0) commit.mutate();
    else list.current?.querySelector<HTMLElement>('[data-open] input')?.focus();
  };
  return (
    <section
      ref={view}
      tabIndex={-1}
      aria-label="Resolve conflicts"
      className="grid scroll-mt-16 grid-cols-1 gap-4 outline-none"
    >
      {isStale && (
        <Notice kind="warn">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0 flex-1 basis-60">
              New commits were pushed. What you chose stays for conflicts that are still the same.
            </span>
            <Button size="small" busy={isLoading} onClick={onReload}>
              Show the newest
            </Button>
          </div>
        </Notice>
      )}
      {!isPossible && <InClone pullRequest={pullRequest} conflicts={conflicts} />}
      {isPossible && (
        <p className="text-sm text-quiet">
          Merges {baseBranch} into {headBranch} as your commit.
          {allowedVerdicts.includes('approved') && ' You can’t approve this pull request afterwards.'}
        </p>
      )}
      {isPossible && (
        <div ref={list} className="grid grid-cols-1 gap-4">
          {conflicts.files.map((file) => (
            <ConflictingFile
              key={file.path}
              file={file}
              baseBranch={baseBranch}
              chosen={chosen}
              onChoose={choose}
            />
          ))}
        </div>
      )}
      {marked.length > 0 && <Notice kind="danger">Conflict markers are left in {marked.join(', ')}.</Notice>}
      {commit.error && marked.length === 0 && <ProblemNotice problem={commit.error} />}
      {commit.error instanceof ApiProblem && commit.error.status === 409 && (
        <Button
          size="small"
          className="justify-self-start"
          busy={isLoading}
          onClick={() => {
            commit.reset();
            onReload();
          }}
        >
          Show the newest
        </Button>
      )}
      {isPossible && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button look="primary" busy={commit.isPending} onClick={submit}>
            Commit merge
          </Button>
          <p
            role="status"
            className={`text-sm ${isReminded && open.length > 0 ? 'text-danger' : 'text-quiet'}`}
          >
            {total - open.length} of {total} resolved
            {isReminded && open.length > 0 && '. Choose for each conflict.'}
          </p>
        </div>
      )}
    </section>
  );
}

function ConflictingFile(props: {
  file: File;
  baseBranch: string;
  chosen: Resolutions;
  onChoose(key: string, resolution: Resolution): void;
}) {
  const { baseBranch, chosen, file, onChoose } = props;
  const hunks = file.hunks ?? [];
  return (
    <section aria-label={file.path} className="min-w-0 overflow-hidden rounded-xl border border-line">
      <h2 className="border-b border-line bg-sunken px-4 py-2 font-mono text-xs wrap-anywhere">
        {file.path}
      </h2>
      <div className="grid grid-cols-1 divide-y divide-line">
        {hunks.map((hunk, index) => {
          const key = keyOf(file, hunk, index);
          return (
            <ConflictEditor
              key={key}
              name={hunks.length === 1 ? 'Conflict' : `Conflict ${index + 1} of ${hunks.length}`}
              path={file.path}
              baseBranch={baseBranch}
              hunk={hunk}
              resolution={chosen[key]}
              onChange={(resolution) => onChoose(key, resolution)}
            />
          );
        })}
      </div>
    </section>
  );
}

const WHY: Record<NonNullable<File['problem']>, string> = {
  kind: 'not merged line by line',
  not_text: 'not UTF-8 text',
  too_large: 'too large, or too many conflicts',
};

/** Some of the files can't be resolved here, so nothing can be committed here. */
function InClone({ conflicts, pullRequest }: { conflicts: Conflicts; pullRequest: PullRequest }) {
  const { baseBranch } = pullRequest;
  const { blocked, files, total } = conflicts;
  const others = files.filter(({ problem }) => problem !== null);
  if (blocked !== null) return <Notice kind="warn">{blocked}</Notice>;
  const commands = resolveCommands(pullRequest);
  return (
    <>
      <Notice kind="warn">These files can’t be resolved here, so resolve all conflicts in a clone.</Notice>
      <ul className="grid grid-cols-1 gap-1 text-sm">
        {others.map(({ path, problem }) => (
          <li key={path} className="min-w-0">
            <code className="font-mono text-xs wrap-anywhere">{path}</code>{' '}
            <span className="text-quiet">{problem && WHY[problem]}</span>
          </li>
        ))}
        {total > files.length && <li className="text-quiet">and {total - files.length} more</li>}
      </ul>
      <CommandLine label={`Merge ${baseBranch} in a clone`} text={commands.merge} />
      <CommandLine label={commands.first} text={commands.push} />
    </>
  );
}
