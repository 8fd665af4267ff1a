/** A comparison: the sidebar, the toolbar, and the list of files with everything that can be done in it. */
import { useMemo, useState } from 'react';
import { NamesArea } from '../../../parts/code/names/names-area.tsx';
import type { Files } from '../../../parts/pull-request/pull-request-data.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import { usePending, usePendingActions } from '../../../parts/pull-request/threads/pending-data.ts';
import { CommitMessage, CommitSteps, useCommitSteps } from '../comparison/commit-steps.tsx';
import { type ComparedHeads, hunkSearch } from '../comparison/compared-heads.ts';
import { HeadPickers } from '../comparison/head-pickers.tsx';
import { DiffList } from '../diff/diff-list.tsx';
import type { ChangedFile } from '../diff/diff-types.ts';
import { FileContent } from '../diff/file-content.tsx';
import { FileHeader } from '../diff/file-header.tsx';
import { useFileDiffs } from '../diff/use-file-diffs.ts';
import { type ListedFile, useRows } from '../diff/use-rows.ts';
import { DiscussionCard } from '../threads/discussion-card.tsx';
import { filterDiscussions } from '../threads/discussion-filter.ts';
import { NewDiscussion } from '../threads/new-discussion.tsx';
import { PendingCard } from '../threads/pending-card.tsx';
import { inOrder, placeDiscussions } from '../threads/place-discussions.ts';
import { useDiscussionActions } from '../threads/use-discussion-actions.ts';
import { useDiffPreferences } from './diff-preferences.ts';
import { FilesSidebar } from './files-sidebar.tsx';
import { FilesToolbar } from './files-toolbar.tsx';
import type { FilesViewProps } from './files-view-props.ts';
import { placeOfText } from './place-of-text.ts';
import { selectedCode } from './selected-code.ts';
import { useCopyLink } from './use-copy-link.ts';
import { useDiscussionKeys } from './use-discussion-keys.ts';
import { fileAtTop, useFileKeys } from './use-file-keys.ts';
import { NEW_CARD, useFileStates } from './use-file-states.ts';
import { useFoldedFiles } from './use-folded-files.ts';
import { useJumps } from './use-jumps.ts';
import { useLineComment } from './use-line-comment.ts';
import { useMarkViewed } from './use-mark-viewed.ts';
import { useRoom } from './use-room.ts';

interface DifferenceProps extends FilesViewProps {
  compared: ComparedHeads;
  files: Files;
  discussions: readonly Discussion[];
}

/** The toolbar and, on narrow windows, the frame's header above it, in pixels. */
const COVERED_WIDE = 48;
const COVERED_NARROW = 100;

export function Difference(props: DifferenceProps) {
  const { compared, discussions, files: answer, lastSeen, onSearch, pullRequest, search } = props;
  const { files, from, to } = answer;
  const [preferences, prefer] = useDiffPreferences();
  const { columns, hasTree, isWide, toggleTree } = useRoom(preferences, prefer);
  const isCommit = compared.kind === 'commit';
  const coveredTop = isWide ? COVERED_WIDE : COVERED_NARROW;
  const shown = useMemo(
    () => filterDiscussions(discussions, { status: search.status, author: search.author }),
    [discussions, search.author, search.status],
  );
  const pending = usePending(pullRequest.id);
  const pendingActions = usePendingActions(pullRequest.id);
  const cards = useMemo(
    () => [...shown, ...pending.filter(({ discussionId }) => discussionId === null)],
    [pending, shown],
  );
  const placed = useMemo(
    () => placeDiscussions(cards, { to, files, isExact: isCommit }),
    [cards, files, isCommit, to],
  );
  const order = useMemo(() => inOrder(cards, placed, files), [cards, files, placed]);
  const mayComment = pullRequest.allowedActions.includes('comment');
  const lineComment = useLineComment({
    pullRequestId: pullRequest.id,
    mayComment,
    isFromBase: compared.isFromBase,
    commit: isCommit ? to : undefined,
  });
  const { writing } = lineComment;
  const folded = useFoldedFiles();
  const { collapse } = folded;
  const [isWhole, setIsWhole] = useState(false);
  const states = useFileStates({
    files,
    placed,
    writing,
    collapsed: folded.collapsed,
    opened: folded.opened,
  });
  const diffs = useFileDiffs({
    pullRequestId: pullRequest.id,
    from,
    to,
    ignoreWhitespace: preferences.ignoreWhitespace,
    first: answer.firstDiffs,
  });
  const rows = useRows(states, diffs, columns);
  const actions = useDiscussionActions(pullRequest);
  const markViewed = useMarkViewed(pullRequest.id);
  const byId = useMemo(() => new Map(discussions.map((each) => [each.id, each])), [discussions]);

  const jumps = useJumps({
    ...{ search, order, discussions: byId, expand: folded.expand },
    ...{ openGap: folded.openGap, select: lineComment.select },
  });
  const setViewed = isCommit
    ? undefined
    : (file: ChangedFile, viewed: boolean) => {
        collapse(file.path, viewed);
        markViewed(file, viewed);
      };
  useFileKeys({ files, coveredTop, goToFile: jumps.goToFile, onViewed: setViewed, onToggleTree: toggleTree });
  const copyLink = useCopyLink({
    ...{ pullRequestId: pullRequest.id, search, to, rows, selection: lineComment.selection },
    currentFile: () => fileAtTop(coveredTop),
  });
  const stepCommit = useCommitSteps({ pullRequestId: pullRequest.id, compared, onSearch });
  const { active, focused, showDiscussion, step } = jumps;
  useDiscussionKeys({ active: byId.get(active ?? ''), actions, onStep: step });
  const showHunk = (commit: string, path: string) => onSearch(hunkSearch(pullRequest, commit, path));
  const headerOf = ({ state }: ListedFile) => {
    const { file } = state;
    const isDeleted = file.change === 'deleted';
    return (
      <FileHeader
        file={file}
        isCollapsed={state.isCollapsed}
        openDiscussions={openIn(state.placed, state.onFile)}
        mayComment={mayComment && file.kind !== 'submodule' && (!isDeleted || compared.isFromBase)}
        source={{ repositoryId: pullRequest.repository.id, commit: to }}
        onCollapse={(isCollapsed) => collapse(file.path, isCollapsed)}
        onComment={() => {
          collapse(file.path, false);
          lineComment.commentOnFile(file.path, isDeleted ? 'old' : 'new');
        }}
        onViewed={setViewed && ((viewed) => setViewed(file, viewed))}
        onCopyLink={() => copyLink(file.path)}
      />
    );
  };
  const placeOfName = (text: HTMLElement) =>
    placeOfText(text, { files, from, to, repository: pullRequest.repository });
  const openIn = (onLines: readonly { id: string }[], onFile: readonly string[]) =>
    [...onLines.map(({ id }) => id), ...onFile].filter((id) => byId.get(id)?.status === 'open').length;
  const cardOf = (id: string) => {
    if (id === NEW_CARD && writing)
      return (
        <NewDiscussion
          key={`${writing.path} ${writing.side} ${writing.first} ${writing.last}`}
          pullRequestId={pullRequest.id}
          place={writing}
          code={writing.side === 'new' && writing.last > 0 ? selectedCode(rows, writing) : undefined}
          hasReview={pending.length > 0}
          onPend={async (body) => {
            const { first: startLine, last: endLine, path: file, side } = writing;
            const added = await pendingActions.add({ file, side, startLine, endLine, commit: to }, body);
            lineComment.stop();
            jumps.focus(added);
          }}
          onSend={async (body, key) => {
            const opened = await actions.open(writing, to, body, key);
            lineComment.stop();
            jumps.activate(opened);
            jumps.focus(opened);
          }}
          onLeave={lineComment.stop}
        />
      );
    const comment = pending.find((each) => each.id === id);
    if (comment)
      return (
        <PendingCard
          comment={comment}
          actions={pendingActions}
          commit={to}
          takesFocus={focused === id}
          onFocused={() => jumps.focus(undefined)}
        />
      );
    const discussion = byId.get(id);
    if (!discussion) return null;
    return (
      <DiscussionCard
        discussion={discussion}
        actions={actions}
        commit={to}
        isActive={active === id}
        takesFocus={focused === id}
        onFocused={() => jumps.focus(undefined)}
        onActivate={jumps.activate}
        onShowHunk={showHunk}
      />
    );
  };
  return (
    <>
      {isCommit && <CommitMessage pullRequestId={pullRequest.id} commit={to} />}
      <FilesToolbar
        files={answer}
        preferences={preferences}
        hasRoom={isWide}
        isWhole={isWhole}
        hasTree={isWide ? hasTree : undefined}
        hasViewed={!isCommit}
        onToggleTree={() => toggleTree?.()}
        onCommits={() => void stepCommit(1)}
        openCount={jumps.openCount}
        at={jumps.at}
        onPrefer={prefer}
        onWhole={setIsWhole}
        onCollapseAll={(isCollapsed) =>
          folded.collapseAll(
            files.map(({ path }) => path),
            isCollapsed,
          )
        }
        onStep={step}
      >
        {compared.kind === 'heads' ? (
          <HeadPickers
            pullRequest={pullRequest}
            compared={compared}
            lastSeen={lastSeen}
            onChoose={(range) => onSearch({ view: 'files', ...range })}
          />
        ) : (
          <CommitSteps
            pullRequestId={pullRequest.id}
            compared={compared}
            range={{ from, to }}
            onStep={stepCommit}
            onAll={() => onSearch({ view: 'files' })}
          />
        )}
      </FilesToolbar>
      <div
        className={`grid grid-cols-1 items-start gap-5 ${hasTree ? 'lg:grid-cols-[17rem_minmax(0,1fr)]' : ''}`}
      >
        {hasTree && (
          <FilesSidebar
            pullRequest={pullRequest}
            files={files}
            isCutShort={answer.total > files.length}
            all={discussions}
            shown={shown}
            commit={to}
            order={order}
            active={active}
            openIn={placed}
            filter={{ status: search.status, author: search.author }}
            onFilter={(filter) => onSearch({ ...search, discussion: undefined, ...filter })}
            onChooseFile={jumps.showFile}
            onChooseDiscussion={(discussion) => {
              if (!showDiscussion(discussion.id)) onSearch({ discussion: discussion.id });
            }}
          />
        )}
        <NamesArea placeOf={placeOfName}>
          <DiffList
            rows={rows}
            columns={columns}
            isWhole={isWhole}
            coveredTop={coveredTop}
            takesOldComments={compared.isFromBase}
            selection={lineComment.selection}
            target={jumps.target}
            onSelect={lineComment.select}
            onComment={lineComment.comment}
            onOpenGap={folded.openGap}
            onWant={diffs.want}
            onRetry={diffs.retry}
            headerOf={headerOf}
            cardOf={cardOf}
            contentOf={(content, file) => (
              <FileContent content={content} file={file} pullRequest={pullRequest} from={from} to={to} />
            )}
          />
        </NamesArea>
      </div>
    </>
  );
}
