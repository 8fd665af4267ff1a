/** Trying reviewers on past pull requests: starting a trial, its progress, and what it would say against what was said. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type CallInput, type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorState, LoadingRows } from '../../components/page.tsx';
import { TextWithCode } from '../../components/text-with-code.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { withMarks } from '../code/marked-text.tsx';

export type Trial = CallOutput<'list-review-trials'>['trials'][number];
type Finding = CallOutput<'get-review-trial'>['findings'][number];

const WHILE_RUNNING_MS = 2000;

export function useTrials(of: CallInput<'list-review-trials'>) {
  return useQuery({
    ...operationQuery('list-review-trials', of),
    refetchInterval: ({ state }) =>
      state.data?.trials.some((trial) => trial.state === 'running') ? WHILE_RUNNING_MS : false,
  });
}

/** The newest trials, and a button that starts one. */
export function Trials(props: {
  of: CallInput<'list-review-trials'>;
  start: CallInput<'start-review-trial'>;
  action: string;
  mayStart: boolean;
}) {
  const { action, mayStart, of, start } = props;
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, refetch } = useTrials(of);
  const [opened, setOpened] = useState<string>();
  const change = useMutation({
    mutationFn: async (work: () => Promise<unknown>) => work(),
    onSuccess: () => client.invalidateQueries({ queryKey: ['list-review-trials'] }),
    onError: (problem) => toast(problem.message, 'danger'),
  });
  const isRunning = data?.trials.some(({ state }) => state === 'running') ?? false;
  return (
    <div className="grid gap-3">
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={1} />}
      {data && data.trials.length > 0 && (
        <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line">
          {data.trials.map((trial) => (
            <li key={trial.id} className="grid gap-2 bg-raised px-4 py-3 text-sm">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
                {trial.version !== null && <span className="font-medium">Version {trial.version}</span>}
                <span
                  className="min-w-0 flex-1 text-pretty text-quiet max-sm:order-last max-sm:basis-full"
                  aria-live="polite"
                >
                  {summaryOf(trial)}, <Time at={trial.createdAt} />
                </span>
                {trial.state === 'running' && mayStart && (
                  <Button
                    size="small"
                    className="max-sm:ml-auto"
                    busy={change.isPending}
                    onClick={() => change.mutate(() => call('cancel-review-trial', { trialId: trial.id }))}
                  >
                    Cancel
                  </Button>
                )}
                {countOf(trial) > 0 && (
                  <Button
                    look="quiet"
                    size="small"
                    className="max-sm:ml-auto"
                    aria-expanded={opened === trial.id}
                    onClick={() => setOpened(opened === trial.id ? undefined : trial.id)}
                  >
                    {opened === trial.id ? 'Hide findings' : 'Show findings'}
                  </Button>
                )}
              </div>
              {trial.state === 'running' && (
                <progress
                  className="h-1.5 w-full"
                  aria-label="Pull requests reviewed"
                  max={trial.pullRequests}
                  value={trial.reviewed}
                />
              )}
              {trial.codeHostId === null && countOf(trial) > trial.failed && <Counts trial={trial} />}
              {opened === trial.id && <Findings trial={trial} />}
            </li>
          ))}
        </ul>
      )}
      {mayStart && data && !isRunning && (
        <div>
          <Button
            busy={change.isPending}
            onClick={() => change.mutate(() => call('start-review-trial', start))}
          >
            {action}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The result as one sentence, where there is no room for the table. */
export function describeTrial(trial: Trial): string {
  const { added, lost, same } = trial;
  return `${summaryOf(trial)}: ${added.count} new, ${same.count} found as before, ${lost.count} no longer found`;
}

/** The pull requests that were looked at, and the findings on a code host, whose past pull requests had no reviews to compare with. */
function summaryOf({ added, codeHostId, failed, pullRequests, reviewed, same, state }: Trial): string {
  if (state === 'running') return `${reviewed} of ${pullRequests} pull requests`;
  const on = `${reviewed} ${reviewed === 1 ? 'pull request' : 'pull requests'}`;
  const skipped = failed > 0 ? `, ${failed} could not be reviewed` : '';
  const stopped = state === 'cancelled' ? 'Cancelled: ' : '';
  if (codeHostId === null) return `${stopped}${on}${skipped}`;
  const [count, fixed] = [added.count + same.count, added.fixed + same.fixed];
  return `${stopped}${count} ${count === 1 ? 'finding' : 'findings'} on ${on}, ${fixed} fixed since${skipped}`;
}

function Counts({ trial }: { trial: Trial }) {
  return (
    <table className="w-fit text-sm tabular-nums">
      <thead className="text-xs text-quiet">
        <tr>
          <th scope="col" className="pr-6 text-left font-normal">
            Findings
          </th>
          <th scope="col" className="pr-6 text-right font-normal">
            Total
          </th>
          <th scope="col" className="text-right font-normal">
            Addressed
          </th>
        </tr>
      </thead>
      <tbody>
        {(['added', 'same', 'lost'] as const).map((outcome) => (
          <tr key={outcome}>
            <th scope="row" className="pr-6 text-left font-normal">
              {OUTCOMES[outcome].word}
            </th>
            <td className="pr-6 text-right">{trial[outcome].count}</td>
            <td className="text-right text-quiet">{trial[outcome].fixed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function countOf({ added, failed, lost, same }: Trial): number {
  return added.count + same.count + lost.count + failed;
}

const OUTCOMES = {
  added: { kind: 'accent', word: 'New' },
  same: { kind: 'plain', word: 'Found as before' },
  lost: { kind: 'danger', word: 'No longer found' },
} as const;

function Findings({ trial: { id } }: { trial: Trial }) {
  const { data, error } = useQuery({
    ...operationQuery('get-review-trial', { trialId: id }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? WHILE_RUNNING_MS : false),
  });
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <LoadingRows rows={1} />;
  return (
    <ul className="grid gap-2 border-t border-line pt-2">
      {data.findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the findings of a trial never change their order.
        <FindingRow key={index} finding={finding} />
      ))}
      {data.problems.map(({ prNumber, problem, repoName }) => (
        <li key={`${repoName}#${prNumber}`} className="text-quiet wrap-anywhere">
          {repoName}#{prNumber}: {problem}
        </li>
      ))}
    </ul>
  );
}

function FindingRow({ finding }: { finding: Finding }) {
  const { file, fixed, line, outcome, prNumber, pullRequestId, quote, repoName, title } = finding;
  return (
    <li className="grid gap-0.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge kind={OUTCOMES[outcome].kind}>{OUTCOMES[outcome].word}</Badge>
        {fixed && <Badge kind="good">{outcome === 'added' ? 'Fixed since' : 'Addressed'}</Badge>}
        <span className="min-w-0 font-medium wrap-anywhere">
          <TextWithCode text={title} show={withMarks} />
        </span>
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId }}
          className="text-quiet hover:underline"
        >
          {repoName}#{prNumber}
        </Link>
      </div>
      <p className="font-mono text-xs wrap-anywhere text-quiet">
        {file}:{line} {quote}
      </p>
    </li>
  );
}
