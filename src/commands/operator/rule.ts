/** `countersign rule`: what pull requests need before they can be merged, by repository and base branch. */
import { selectUserByEmail } from '../../features/accounts/index.ts';
import { operatorOf } from '../../features/audit/index.ts';
import {
  MERGE_ROLES,
  type RuleInput,
  removeMergeRule,
  SetMergeRuleInput,
  saveMergeRule,
  selectMergeRules,
} from '../../features/pull-requests/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable } from '../terminal/printable.ts';
import { findOrganization, ORGANIZATION_OPTION } from './check-option.ts';
import { findPlace } from './find-place.ts';

const PATTERN_OPTION = {
  name: 'pattern',
  value: 'branches',
  required: true,
  meaning: 'The base branches: a name, or a pattern with * (no slash) and ** (anything).',
};
const REPOSITORY_OPTION = {
  name: 'repository',
  value: 'name',
  meaning: 'The repository: owner/name, or only the last part. Default: every repository.',
};

export const ruleList: Command = {
  name: 'rule list',
  summary: 'List merge rules',
  options: [ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign rule list',
  quiet: true,
  async run(call) {
    const rows = await withDatabase(call, async (db) =>
      selectMergeRules(db, (await findOrganization(db, call)).id, null),
    );
    printRows(
      rows.map((row) => ({
        repository: row.repository_name ?? '(every repository)',
        pattern: row.pattern,
        approvals: String(row.approvals),
        owners: row.owners ? 'yes' : 'no',
        statuses: (row.statuses as { name: string }[]).map(({ name }) => name).join(' '),
        resolved: row.resolved_discussions ? 'yes' : 'no',
        plan: row.approved_plan ? 'yes' : 'no',
        merge: row.merge_role ?? 'named people',
      })),
      {
        json: call.options.json === true,
        empty: 'No merge rules: pull requests need one approval by a second person.',
      },
    );
  },
};

export const ruleSet: Command = {
  name: 'rule set',
  summary: 'Set what pull requests need before they can be merged',
  detail:
    'Replaces the rule with the same repository and pattern as a whole. Of several rules that match a branch, the most\nspecific one applies: of the repository before every repository, names before patterns, longer patterns before\nshorter ones.',
  options: [
    PATTERN_OPTION,
    REPOSITORY_OPTION,
    { name: 'approvals', value: 'number', meaning: 'How many people have to approve. Default: 1.' },
    { name: 'owners', meaning: 'An owner of every changed path has to approve, as CODEOWNERS says.' },
    {
      name: 'statuses',
      value: 'name=who,who;…',
      meaning: 'Statuses that must be successful, with who may set each: addresses or host logins.',
    },
    { name: 'resolved-discussions', meaning: 'A person has to resolve every discussion.' },
    { name: 'approved-plan', meaning: 'The newest version of the linked plan has to be approved.' },
    { name: 'keep-approvals', meaning: 'Approvals count after a push that leaves the patch as it was.' },
    {
      name: 'allow-only-person',
      meaning: 'The only active person of an organization can approve their own work.',
    },
    {
      name: 'merge-role',
      value: 'role',
      meaning: `The lowest role that may merge: ${MERGE_ROLES.join(', ')}, or nobody. Default: member.`,
    },
    {
      name: 'merge-people',
      value: 'addresses',
      meaning: 'Members who may merge too: email addresses, separated by commas.',
    },
    ORGANIZATION_OPTION,
  ],
  positional: 'pattern',
  example: 'countersign rule set main --approvals 2 --resolved-discussions',
  quiet: true,
  async run(call) {
    const pattern = await withDatabase(call, async (db) => {
      const { organizationId, repository } = await findScope(db, call);
      const input = await readRule(db, call);
      const source = operatorOf(organizationId, systemClock.now());
      await inTransaction(db, (transaction) => saveMergeRule(transaction, source, repository, input)).catch(
        (error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          const problems = error.errors?.map(({ message, path }) => `${path} ${message}`) ?? [error.message];
          throw new StartFailure('refused', problems.map(printable).join('\n'));
        },
      );
      return input.pattern;
    });
    process.stdout.write(`The merge rule for ${printable(pattern)} is set.\n`);
  },
};

export const ruleRemove: Command = {
  name: 'rule remove',
  summary: 'Remove a merge rule',
  options: [PATTERN_OPTION, REPOSITORY_OPTION, ORGANIZATION_OPTION],
  positional: 'pattern',
  example: 'countersign rule remove main --repository acme/api',
  quiet: true,
  async run(call) {
    const pattern = textOption(call, 'pattern');
    const isRemoved = await withDatabase(call, async (db) => {
      const { organizationId, repository } = await findScope(db, call);
      const source = operatorOf(organizationId, systemClock.now());
      const isTheOne = (row: { repository_id: string | null; pattern: string }) =>
        row.pattern === pattern && row.repository_id === (repository?.id ?? null);
      return inTransaction(db, (transaction) => removeMergeRule(transaction, source, isTheOne));
    });
    if (!isRemoved)
      throw new StartFailure(
        'refused',
        `no merge rule for ${printable(pattern)}. To list merge rules: countersign rule list`,
      );
    process.stdout.write(`The merge rule for ${printable(pattern)} is removed.\n`);
  },
};

async function findScope(db: Db, call: Call) {
  if (call.options.repository === undefined)
    return { organizationId: (await findOrganization(db, call)).id, repository: null };
  return findPlace(db, call, 'repository');
}

async function readRule(db: Db, call: Call): Promise<RuleInput> {
  const { options } = call;
  const given = (name: string) => (options[name] === undefined ? undefined : textOption(call, name));
  const checked = SetMergeRuleInput.safeParse({
    pattern: textOption(call, 'pattern'),
    approvals: given('approvals') === undefined ? undefined : Number(given('approvals')),
    owners: options.owners === true,
    statuses: await readStatuses(db, given('statuses')),
    resolvedDiscussions: options['resolved-discussions'] === true,
    approvedPlan: options['approved-plan'] === true,
    keepApprovals: options['keep-approvals'] === true,
    allowOnlyPerson: options['allow-only-person'] === true,
    mergeRole: given('merge-role'),
    mergeUserIds: await idsOf(db, splitList(given('merge-people'), ',')),
  });
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map(({ message, path }) => `${path.join('.')} ${message}`);
  throw new StartFailure('usage', problems.join(', '));
}

async function readStatuses(db: Db, text: string | undefined) {
  const statuses = [];
  for (const one of splitList(text, ';')) {
    const at = one.lastIndexOf('=');
    const who = splitList(one.slice(at + 1), ',');
    if (at < 1)
      throw new StartFailure(
        'usage',
        `--statuses: ${one} doesn’t say who may set it, as in build=ci@example.com`,
      );
    statuses.push({
      name: one.slice(0, at).trim(),
      userIds: await idsOf(
        db,
        who.filter((each) => each.includes('@')),
      ),
      hostAccounts: who.filter((each) => !each.includes('@')),
    });
  }
  return statuses;
}

async function idsOf(db: Db, addresses: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const address of addresses) {
    const user = await selectUserByEmail(db, address.toLowerCase());
    if (!user) throw new StartFailure('refused', `no user with the email address ${printable(address)}`);
    ids.push(user.id);
  }
  return ids;
}

function splitList(text: string | undefined, separator: string): string[] {
  return (text ?? '').split(separator).flatMap((part) => part.trim() || []);
}
