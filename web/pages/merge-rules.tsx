/** Settings → Merge rules: what pull requests need before they can be merged, by repository and base branch. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { EmptyState, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { describeRule } from './merge-rules/describe-rule.ts';
import { MergeRuleForm } from './merge-rules/merge-rule-form.tsx';

type MergeRule = CallOutput<'list-merge-rules'>['rules'][number];

const rulesQuery = operationQuery('list-merge-rules', {});

export function MergeRulesPage() {
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, refetch } = useQuery(rulesQuery);
  const [edited, setEdited] = useState<MergeRule | 'new'>();
  const [deleted, setDeleted] = useState<MergeRule>();
  const show = (list: CallOutput<'list-merge-rules'>, said: string) => {
    client.setQueryData(rulesQuery.queryKey, list);
    void client.invalidateQueries({ queryKey: ['get-pull-request'] });
    toast(said);
  };
  const removal = useMutation({
    mutationFn: (mergeRuleId: string) => call('delete-merge-rule', { mergeRuleId }),
    onSuccess: (list) => {
      setDeleted(undefined);
      show(list, 'Merge rule deleted.');
    },
  });
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      Add rule
    </Button>
  );
  return (
    <Page
      title="Merge rules"
      lead="What pull requests need before they can be merged. Of several rules that match a base branch, the most specific one applies: rules of the repository first, then names before patterns."
      actions={data && data.rules.length > 0 ? add : undefined}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data?.rules.length === 0 && (
        <EmptyState title="No merge rules yet" action={add}>
          Pull requests need one approval of their newest commit, by someone who didn’t open, write, commit or
          push any of it, and no open request for changes.
        </EmptyState>
      )}
      {data && data.rules.length > 0 && (
        <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line">
          {data.rules.map((rule) => (
            <li key={rule.id} className="flex flex-wrap items-start gap-3 bg-raised px-4 py-3 text-sm">
              <div className="min-w-0 flex-1 basis-60">
                <p className="wrap-anywhere">
                  <code className="font-mono text-xs font-medium">{rule.pattern}</code>{' '}
                  <span className="text-quiet">in {rule.repository?.name ?? 'every repository'}</span>
                </p>
                <ul className="mt-1 list-disc pl-5 text-[0.8125rem] wrap-anywhere">
                  {describeRule(rule).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
                <p className="mt-1 text-[0.8125rem] text-quiet">
                  Changed by {rule.updatedBy?.name ?? 'the operator'} <Time at={rule.updatedAt} />
                </p>
              </div>
              <Button
                size="small"
                look="quiet"
                aria-label={`Delete the rule for ${nameOf(rule)}`}
                onClick={() => setDeleted(rule)}
              >
                Delete
              </Button>
              <Button
                size="small"
                aria-label={`Edit the rule for ${nameOf(rule)}`}
                onClick={() => setEdited(rule)}
              >
                Edit
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={edited !== undefined}
        title={edited === 'new' ? 'Add merge rule' : 'Edit merge rule'}
        onClose={() => setEdited(undefined)}
      >
        {edited && (
          <MergeRuleForm
            rule={edited === 'new' ? undefined : edited}
            onSaved={(list) => {
              setEdited(undefined);
              show(list, 'Merge rule saved.');
            }}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={deleted !== undefined}
        title="Delete merge rule"
        description={`The next rule that matches ${deleted?.pattern ?? ''} applies, or one approval by a second person.`}
        action="Delete rule"
        busy={removal.isPending}
        problem={removal.error}
        onClose={() => setDeleted(undefined)}
        onConfirm={() => removal.mutate(deleted!.id)}
      />
    </Page>
  );
}

function nameOf({ pattern, repository }: MergeRule): string {
  return `${pattern} in ${repository?.name ?? 'every repository'}`;
}
