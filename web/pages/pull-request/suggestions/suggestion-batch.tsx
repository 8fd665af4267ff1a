/** Collects suggestions, with the bar and the dialog that apply them. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { type Discussion, discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';
import { ApplyBar } from './apply-bar.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { BatchContext, type ChosenWithState, type SuggestionBatch } from './batch-context.ts';
import { type ChosenSuggestion, chosenState, isSame } from './suggestion-state.ts';

const NONE: readonly Discussion[] = [];

export function SuggestionBatchProvider(props: {
  pullRequest: PullRequest;
  /** Something else floats at the bottom of the window. */
  isRaised: boolean;
  children: ReactNode;
}) {
  const { children, isRaised, pullRequest } = props;
  const { data } = useQuery(discussionsQuery(pullRequest.id));
  const discussions = data?.discussions ?? NONE;
  const blocked = data ? (data.suggestionsBlocked ?? undefined) : '';
  const [added, setAdded] = useState<readonly ChosenSuggestion[]>([]);
  const [applying, setApplying] = useState<readonly ChosenWithState[]>();
  const batch = useMemo((): SuggestionBatch => {
    const chosen = added.map((each) => ({ ...each, state: chosenState(pullRequest, discussions, each) }));
    return {
      ...{ pullRequest, blocked, chosen },
      add: (suggestion) =>
        setAdded((before) => [...before.filter((each) => !isSame(each, suggestion)), suggestion]),
      remove: (suggestion) => setAdded((before) => before.filter((each) => !isSame(each, suggestion))),
      apply: setApplying,
    };
  }, [added, blocked, discussions, pullRequest]);
  return (
    <BatchContext value={batch}>
      {children}
      <ApplyBar batch={batch} isRaised={isRaised} onClear={() => setAdded([])} />
      <ApplyDialog
        pullRequest={pullRequest}
        suggestions={applying}
        onApplied={(done) =>
          setAdded((before) => before.filter((each) => !done.some((one) => isSame(each, one))))
        }
        onClose={() => setApplying(undefined)}
      />
    </BatchContext>
  );
}
