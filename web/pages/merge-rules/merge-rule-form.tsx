/** Sets a merge rule. Its repository and pattern stay as they are once it is there. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { linesOf } from '../../components/line-list.ts';
import { Choice } from '../../parts/fields/choice.tsx';
import { membersQuery } from '../../parts/pull-request/pull-request-data.ts';

type MergeRules = CallOutput<'list-merge-rules'>;
type MergeRule = MergeRules['rules'][number];

const MAX_REPOSITORIES = 200;
const SWITCHES = {
  owners: 'Owners of every changed path have to approve (CODEOWNERS)',
  resolvedDiscussions: 'A person has to resolve every discussion',
  approvedPlan: 'The newest version of the linked plan has to be approved',
  keepApprovals: 'Approvals count after a push that leaves the patch as it was',
  allowOnlyPerson: 'The only active person can approve their own work',
} as const;
type Switch = keyof typeof SWITCHES;

export function MergeRuleForm({
  onSaved,
  rule,
}: {
  rule: MergeRule | undefined;
  onSaved(list: MergeRules): void;
}) {
  const repositories = useQuery(operationQuery('list-repositories', { limit: MAX_REPOSITORIES }));
  const members = useQuery(membersQuery);
  const people = members.data?.members.filter(({ deactivatedAt }) => deactivatedAt === null) ?? [];
  const [on, setOn] = useState<Record<Switch, boolean>>({
    owners: rule?.owners ?? false,
    resolvedDiscussions: rule?.resolvedDiscussions ?? false,
    approvedPlan: rule?.approvedPlan ?? false,
    keepApprovals: rule?.keepApprovals ?? false,
    allowOnlyPerson: rule?.allowOnlyPerson ?? false,
  });
  const [mergers, setMergers] = useState(() => new Set(rule?.mergePeople.map(({ id }) => id)));
  const emailOf = (id: string) => people.find((person) => person.userId === id)?.email ?? '';
  const form = useForm(
    {
      repositoryId: rule?.repository?.id ?? '',
      pattern: rule?.pattern ?? 'main',
      approvals: String(rule?.approvals ?? 1),
      statuses: '',
      mergeRole: rule ? (rule.mergeRole ?? 'nobody') : 'member',
    },
    async ({ approvals, mergeRole, pattern, repositoryId, statuses }) => {
      const list = await call('set-merge-rule', {
        ...(repositoryId && { repositoryId }),
        pattern,
        approvals: Number(approvals),
        ...on,
        statuses: [...kept, ...linesOf(statuses).map(readStatus)],
        mergeRole: mergeRole as 'member',
        mergeUserIds: [...mergers],
      });
      onSaved(list);
    },
  );
  const [kept, setKept] = useState(
    () =>
      rule?.statuses.map(({ hostAccounts, name, people: setters }) => ({
        ...{ name, hostAccounts, userIds: setters.map(({ id }) => id) },
      })) ?? [],
  );
  const readStatus = (line: string) => {
    const at = line.lastIndexOf(':');
    const who = line
      .slice(at + 1)
      .split(',')
      .flatMap((part) => part.trim() || []);
    const idOf = (address: string) =>
      people.find(({ email }) => email?.toLowerCase() === address.toLowerCase())?.userId;
    return {
      name: at < 0 ? line : line.slice(0, at).trim(),
      userIds: at < 0 ? [] : who.flatMap((each) => idOf(each) ?? []),
      hostAccounts: at < 0 ? [] : who.filter((each) => !each.includes('@')),
    };
  };
  return (
    <Form form={form} action="Save rule">
      {rule ? (
        <p className="text-sm wrap-anywhere">
          <code className="font-mono text-xs font-medium">{rule.pattern}</code>{' '}
          <span className="text-quiet">in {rule.repository?.name ?? 'every repository'}</span>
        </p>
      ) : (
        <>
          <SelectField label="Repository" {...form.field('repositoryId')}>
            <option value="">Every repository</option>
            {repositories.data?.repositories.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Base branches"
            hint="A name, or a pattern: * for any characters but a slash, ** for any."
            spellCheck={false}
            autoComplete="off"
            {...form.field('pattern')}
          />
        </>
      )}
      <TextField label="Approvals" type="number" min={0} max={10} {...form.field('approvals')} />
      <fieldset className="grid gap-2">
        <legend className="sr-only">What else is needed</legend>
        {(Object.keys(SWITCHES) as Switch[]).map((key) => (
          <Choice
            key={key}
            type="checkbox"
            name={key}
            checked={on[key]}
            onChange={(checked) => setOn({ ...on, [key]: checked })}
          >
            {SWITCHES[key]}
          </Choice>
        ))}
      </fieldset>
      {kept.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Required statuses</legend>
          {kept.map((status) => (
            <Choice
              key={status.name}
              type="checkbox"
              name={`status ${status.name}`}
              checked
              onChange={() => setKept(kept.filter((each) => each !== status))}
            >
              {status.name}{' '}
              <span className="text-quiet">
                {[...status.userIds.map(emailOf), ...status.hostAccounts].filter(Boolean).join(', ')}
              </span>
            </Choice>
          ))}
        </fieldset>
      )}
      <TextAreaField
        label={kept.length > 0 ? 'More statuses' : 'Required statuses'}
        hint="One per line, with who may set it: build: ci@example.com, github-actions. Members by email address, others by their login on the code host."
        spellCheck={false}
        {...form.field('statuses')}
      />
      <SelectField label="Who may merge" {...form.field('mergeRole')}>
        <option value="member">Members</option>
        <option value="admin">Admins and owners</option>
        <option value="owner">Owners</option>
        <option value="nobody">Only these people</option>
      </SelectField>
      <fieldset className="grid max-h-40 gap-2 overflow-y-auto">
        <legend className="mb-1 text-sm font-medium">People who may merge too</legend>
        {people.map(({ name, userId }) => (
          <Choice
            key={userId}
            type="checkbox"
            name={`merger ${userId}`}
            checked={mergers.has(userId)}
            onChange={(checked) => {
              const next = new Set(mergers);
              if (checked) next.add(userId);
              else next.delete(userId);
              setMergers(next);
            }}
          >
            {name}
          </Choice>
        ))}
      </fieldset>
    </Form>
  );
}
