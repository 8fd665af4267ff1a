/** Sets a merge rule. Its repository and pattern stay as they are once it is there. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { CutShort } from '../../components/page.tsx';
import { TextWithCode } from '../../components/text-with-code.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { type Chosen, ReviewerChoices } from '../../parts/reviewers/reviewer-choices.tsx';
import { type RequiredStatus, RequiredStatuses, sentStatuses } from './required-statuses.tsx';

type MergeRules = CallOutput<'list-merge-rules'>;
type MergeRule = MergeRules['rules'][number];

const MAX_REPOSITORIES = 200;
const MAX_STATUSES = 20;
const SWITCHES: Record<Switch, string> = {
  owners: 'Approval by an owner of every changed path (CODEOWNERS)',
  resolvedDiscussions: 'Every discussion resolved by a person',
  approvedPlan: 'The newest version of every linked plan approved',
  keepApprovals: 'Keep approvals after a push that leaves the patch as it was, such as a rebase',
  allowOnlyPerson: 'Let the only active person approve their own work',
};
type Switch = 'owners' | 'resolvedDiscussions' | 'approvedPlan' | 'keepApprovals' | 'allowOnlyPerson';
const NEEDED: Switch[] = ['owners', 'resolvedDiscussions', 'approvedPlan'];
const APPROVALS: Switch[] = ['keepApprovals', 'allowOnlyPerson'];

interface MergeRuleFormProps {
  rule: MergeRule | undefined;
  onSaved(list: MergeRules): void;
}

export function MergeRuleForm({ onSaved, rule }: MergeRuleFormProps) {
  const [on, setOn] = useState<Record<Switch, boolean>>({
    owners: rule?.owners ?? false,
    resolvedDiscussions: rule?.resolvedDiscussions ?? false,
    approvedPlan: rule?.approvedPlan ?? false,
    keepApprovals: rule?.keepApprovals ?? false,
    allowOnlyPerson: rule?.allowOnlyPerson ?? false,
  });
  const [statuses, setStatuses] = useState<readonly RequiredStatus[]>(() =>
    (rule?.statuses ?? []).map(({ hostAccounts, name, people }, key) => ({
      ...{ key, name, people: people.map(chosenOf), accounts: hostAccounts.join(', ') },
    })),
  );
  const [mergers, setMergers] = useState<Chosen['people']>(() => (rule?.mergePeople ?? []).map(chosenOf));
  const form = useForm(
    {
      repositoryId: rule?.repository?.id ?? '',
      pattern: rule?.pattern ?? 'main',
      approvals: String(rule?.approvals ?? 1),
      mergeRole: rule ? (rule.mergeRole ?? 'nobody') : 'member',
    },
    async ({ approvals, mergeRole, pattern, repositoryId }) => {
      if (mergeRole === 'nobody' && mergers.length === 0) throw new Error('Choose who can merge.');
      const list = await call('set-merge-rule', {
        ...(repositoryId && { repositoryId }),
        pattern,
        approvals: Number(approvals),
        ...on,
        statuses: sentStatuses(statuses),
        mergeRole: mergeRole as 'member',
        mergeUserIds: mergers.map(({ userId }) => userId),
      });
      onSaved(list);
    },
  );
  const choices = (keys: Switch[]) =>
    keys.map((key) => (
      <Choice
        key={key}
        type="checkbox"
        name={key}
        checked={on[key]}
        onChange={(checked) => setOn({ ...on, [key]: checked })}
      >
        {SWITCHES[key]}
      </Choice>
    ));
  const onlyThese = form.values.mergeRole === 'nobody';
  return (
    <Form form={form} action="Save rule">
      {rule ? (
        <p className="text-sm wrap-anywhere">
          <code className="font-mono text-xs font-medium">{rule.pattern}</code>{' '}
          <span className="text-quiet">in {rule.repository?.name ?? 'every repository'}</span>
        </p>
      ) : (
        <>
          <RepositoryChoice {...form.field('repositoryId')} />
          <TextField
            label="Base branches"
            hint={
              <TextWithCode text="A name, or a pattern: `*` for any characters but a slash, `**` for any." />
            }
            spellCheck={false}
            autoComplete="off"
            {...form.field('pattern')}
          />
        </>
      )}
      <TextField label="Approvals" type="number" min={0} max={10} {...form.field('approvals')} />
      <fieldset className="grid gap-2">
        <legend className="sr-only">About approvals</legend>
        {choices(APPROVALS)}
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Also required</legend>
        {choices(NEEDED)}
      </fieldset>
      <RequiredStatuses statuses={statuses} max={MAX_STATUSES} onChange={setStatuses} />
      <SelectField label="Who can merge" {...form.field('mergeRole')}>
        <option value="member">Members, admins and owners</option>
        <option value="admin">Admins and owners</option>
        <option value="owner">Owners</option>
        <option value="nobody">Only people chosen here</option>
      </SelectField>
      <details className="rounded-lg border border-line px-3 py-2 open:pb-3" open={onlyThese || undefined}>
        <summary className="cursor-pointer text-sm wrap-anywhere">
          {onlyThese ? 'People who can merge' : 'People who can merge as well'}{' '}
          <span className="text-quiet">
            {mergers.length === 0 ? '(none)' : mergers.map(({ name }) => name).join(', ')}
          </span>
        </summary>
        <div className="mt-3 grid gap-3">
          <ReviewerChoices
            chosen={{ people: mergers, teams: [] }}
            exceptIds={[]}
            onChange={({ people }) => setMergers(people)}
          />
        </div>
      </details>
    </Form>
  );
}

function RepositoryChoice(field: ReturnType<ReturnType<typeof useForm>['field']>) {
  const { data } = useQuery(operationQuery('list-repositories', { limit: MAX_REPOSITORIES }));
  return (
    <div className="grid gap-1.5">
      <SelectField label="Repository" {...field}>
        <option value="">Every repository</option>
        {data?.repositories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {data && <CutShort nextCursor={data.nextCursor} shown={data.repositories.length} />}
    </div>
  );
}

function chosenOf({ id, name }: { id: string; name: string }): Chosen['people'][number] {
  return { userId: id, name };
}
