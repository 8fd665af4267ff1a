/** The versions of a custom reviewer: activate any of them, and compare any with the active one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { compareLines } from '../../../src/engines/text/index.ts';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery, useOperationPages } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { Card, ErrorState, LoadingRows, Section, ShowMore } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { describeTrial, useTrials } from '../../parts/reviewers/trials.tsx';
import { describeScopes } from './describe-scopes.ts';

type Detail = CallOutput<'get-reviewer'>;
type Version = CallOutput<'get-reviewer-version'>;

export function Versions({ reviewer }: { reviewer: Detail }) {
  const { activeVersion, canEdit, id } = reviewer;
  const pages = useOperationPages('list-reviewer-versions', { reviewerId: id });
  const versions = pages.data?.pages.flatMap((page) => page.versions) ?? [];
  const [compared, setCompared] = useState<{ from: number; to: number }>();
  const activate = useActivate(id);
  const [activating, setActivating] = useState<number>();
  const trial = useTrials({ reviewerId: id }).data?.trials.find(
    ({ state, version }) => version === activating && state === 'done',
  );
  return (
    <Section title="Versions" lead="Every edit is kept.">
      {pages.error && !pages.data && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isLoading && <LoadingRows rows={1} />}
      <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line">
        {versions.map(({ createdAt, createdBy, isActive, title, version }) => (
          <li
            key={version}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-raised px-4 py-3 text-sm"
          >
            <span className="font-medium">Version {version}</span>
            {isActive && <Badge kind="good">Active</Badge>}
            <span className="min-w-0 flex-1 wrap-anywhere text-quiet max-sm:order-last max-sm:basis-full">
              {title}, {createdBy?.name ?? 'operator'}, <Time at={createdAt} />
            </span>
            <span className="flex gap-3 max-sm:ml-auto">
              {version > 1 && (
                <Button
                  look="quiet"
                  size="small"
                  aria-label={`Compare version ${version}`}
                  onClick={() => setCompared({ from: version - 1, to: version })}
                >
                  Compare
                </Button>
              )}
              {canEdit && !isActive && (
                <Button
                  size="small"
                  aria-label={`Activate version ${version}`}
                  busy={activate.isPending && activate.variables === version}
                  onClick={() => setActivating(version)}
                >
                  Activate
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} />
      <ConfirmDialog
        open={activating !== undefined}
        title={`Activate version ${activating}?`}
        description={
          trial
            ? `Tried on past pull requests: ${describeTrial(trial)}.`
            : 'Reviews use it from now on. It wasn’t tried on past pull requests.'
        }
        action="Activate"
        busy={activate.isPending}
        problem={activate.error}
        onConfirm={() => activate.mutate(activating!, { onSuccess: () => setActivating(undefined) })}
        onClose={() => setActivating(undefined)}
      />
      {compared && (
        <Comparison
          reviewerId={id}
          newest={Math.max(activeVersion, reviewer.newestVersion)}
          {...compared}
          onChange={setCompared}
        />
      )}
    </Section>
  );
}

function useActivate(reviewerId: string) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (version: number) => call('activate-reviewer-version', { reviewerId, version }),
    onSuccess(changed) {
      client.setQueryData(['get-reviewer', { reviewerId }], changed);
      void client.invalidateQueries({ queryKey: ['list-reviewer-versions'] });
      void client.invalidateQueries({ queryKey: ['list-reviewers'] });
      toast(`Version ${changed.activeVersion} activated`);
    },
    onError: (error) => toast(error.message, 'danger'),
  });
}

function Comparison(props: {
  reviewerId: string;
  newest: number;
  from: number;
  to: number;
  onChange(compared: { from: number; to: number }): void;
}) {
  const { from, newest, onChange, reviewerId, to } = props;
  const older = useQuery(operationQuery('get-reviewer-version', { reviewerId, version: from }));
  const newer = useQuery(operationQuery('get-reviewer-version', { reviewerId, version: to }));
  const error = older.error ?? newer.error;
  const choose = (label: string, value: number, change: (version: number) => void) => (
    <Select
      look="small"
      aria-label={label}
      value={value}
      onChange={(event) => change(Number(event.target.value))}
    >
      {Array.from({ length: newest }, (_, index) => index + 1).map((version) => (
        <option key={version} value={version}>
          Version {version}
        </option>
      ))}
    </Select>
  );
  return (
    <Card className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <h3 className="mr-auto font-semibold">Comparison</h3>
        {choose('Compare from', from, (version) => onChange({ from: version, to }))}
        <span className="text-quiet">to</span>
        {choose('Compare to', to, (version) => onChange({ from, to: version }))}
      </div>
      {error && <ErrorState error={error} />}
      {older.data && newer.data && <Difference before={older.data} after={newer.data} />}
    </Card>
  );
}

function Difference({ after, before }: { after: Version; before: Version }) {
  const lines = compareLines(textOf(before), textOf(after));
  if (lines.every(({ change }) => change === 'same'))
    return <p className="text-sm text-quiet">These versions are the same.</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    <div
      role="group"
      aria-label="Difference"
      className="font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap"
    >
      {lines.map(({ change, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes; another one is a new list.
        <span key={index} className={`block px-2 ${LOOK[change]}`}>
          {MARK[change]} {text}
        </span>
      ))}
    </div>
  );
}

const LOOK = { same: 'text-quiet', added: 'bg-good-soft text-text', removed: 'bg-danger-soft text-text' };
const MARK = { same: ' ', added: '+', removed: '-' };

/** Everything that a version says, as lines. */
function textOf({ body, description, kind, scopes, title }: Version): string {
  const places = scopes.map(({ paths, repoName }) =>
    [repoName ?? 'All repositories', ...paths.map((path) => `  ${path}`)].join('\n'),
  );
  return [title, description, kind, places.join('\n') || describeScopes(scopes), '', body].join('\n');
}
