/** Steps through the commits of a pull request, one after another, by buttons and by keys. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { Time } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import type { PullRequestSearch } from '../../../page-search.ts';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import { commitsQuery, type Range, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { type ComparedHeads, commitSearch } from './compared-heads.ts';

/** Opens the next or previous commit; from all changes, the first or the last. */
export function useCommitSteps(given: {
  pullRequestId: string;
  compared: ComparedHeads;
  onSearch(search: PullRequestSearch): void;
}): (by: 1 | -1) => Promise<void> {
  const { compared, onSearch, pullRequestId } = given;
  const client = useQueryClient();
  const toast = useToast();
  /** Where a key that is pressed again before the page follows goes on from. */
  const going = useRef<string>(undefined);
  const shown = compared.kind === 'commit' ? compared.range.to : undefined;
  useEffect(() => {
    if (shown === going.current) going.current = undefined;
  }, [shown]);
  const step = async (by: 1 | -1) => {
    const { commits } = await client.ensureQueryData(commitsQuery(pullRequestId));
    const readable = commits.filter(({ parents }) => parents.length > 0);
    const before = going.current ?? shown;
    const at = readable.findIndex(({ commit }) => commit === before);
    const next = at === -1 && by === -1 ? readable.at(-1) : readable[at + by];
    const search = next && commitSearch(next);
    if (search) {
      going.current = next.commit;
      onSearch(search);
    } else toast(by === 1 ? 'This is the last commit.' : 'This is the first commit.');
  };
  const press = (by: 1 | -1) => () => {
    step(by).catch((error: Error) => toast(error.message, 'danger'));
    return true;
  };
  usePageShortcuts([
    { keys: [']'], meaning: 'Next commit', act: press(1) },
    { keys: ['['], meaning: 'Previous commit', act: press(-1) },
  ]);
  return step;
}

/** In place of the pickers of heads: which commit is shown, or which two are compared. */
export function CommitSteps(props: {
  pullRequestId: string;
  compared: ComparedHeads;
  range: Required<Range>;
  onStep(by: 1 | -1): Promise<void>;
  onAll(): void;
}) {
  const { compared, onAll, onStep, pullRequestId, range } = props;
  const { data } = useQuery({ ...commitsQuery(pullRequestId), enabled: compared.kind === 'commit' });
  const at = data?.commits.findIndex(({ commit }) => commit === range.to) ?? -1;
  const count = data?.commits.length ?? 0;
  return (
    <div className="flex min-w-0 items-center gap-1">
      {compared.kind === 'commit' && (
        <Button
          size="small"
          look="quiet"
          className="px-1.5!"
          aria-label="Previous commit"
          title="Previous commit ([)"
          disabled={at === 0}
          onClick={() => void onStep(-1)}
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
        </Button>
      )}
      <p className="truncate text-[0.8125rem] tabular-nums" aria-live="polite">
        {compared.kind === 'other' && (
          <>
            <code className="font-mono">{shortCommit(range.from)}</code> to{' '}
          </>
        )}
        {at >= 0 && `Commit ${at + 1} of ${count} · `}
        <code className="font-mono">{shortCommit(range.to)}</code>
      </p>
      {compared.kind === 'commit' && (
        <Button
          size="small"
          look="quiet"
          className="px-1.5!"
          aria-label="Next commit"
          title="Next commit (])"
          disabled={at >= 0 && at === count - 1}
          onClick={() => void onStep(1)}
        >
          <ChevronRight className="size-4" aria-hidden="true" />
        </Button>
      )}
      <Button size="small" onClick={onAll}>
        All changes
      </Button>
    </div>
  );
}

/** The message of the commit that is shown. */
export function CommitMessage({ commit, pullRequestId }: { commit: string; pullRequestId: string }) {
  const { data } = useQuery(commitsQuery(pullRequestId));
  const shown = data?.commits.find((each) => each.commit === commit);
  if (!shown)
    return data ? (
      <p className="text-sm text-quiet">
        This commit is no longer part of the branch. Its changes and comments can still be read.
      </p>
    ) : (
      // As high as the message, so that the files don't move when it arrives.
      <div className="h-11" />
    );
  return (
    <section aria-label="Commit message" className="grid gap-0.5">
      <p className="font-medium wrap-anywhere">
        <MarkedText text={shown.subject} />
      </p>
      <p className="text-[0.8125rem] text-quiet wrap-anywhere">
        {shown.authorName}, <Time at={shown.authoredAt} />
      </p>
      {shown.body.trim() !== '' && (
        <p className="mt-1 max-w-prose border-l-2 border-line pl-3 text-[0.8125rem] wrap-anywhere whitespace-pre-wrap">
          <MarkedText text={shown.body.trim()} />
        </p>
      )}
    </section>
  );
}
