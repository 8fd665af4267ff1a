/** The shapes of merge rules, and of what a pull request still needs before it can be merged. */
import { z } from 'zod';
import { requiredText, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { LIMITS } from './contract-fields.ts';

export const RULE_LIMITS = { approvals: 10, statuses: 20, accounts: 50, accountCharacters: 200 } as const;

export const MERGE_ROLES = ['member', 'admin', 'owner'] as const;

const Person = z.object({ id: uuid(), name: z.string() });

/** git refuses most of these in names of branches; the others would look like patterns that don't exist here. */
const PATTERN = /^(?!\/)(?!.*\/\/)[^\s?[\\~^:]+(?<!\/)$/;
export const BranchPattern = requiredText({ max: LIMITS.branchCharacters })
  .regex(PATTERN, 'must be the name of a branch, with `*` for any characters but a slash and `**` for any')
  .describe(
    'The base branches that it applies to. `*` stands for any characters but a slash, `**` for any characters.',
  );

const ruleFields = {
  approvals: z.int().min(0).max(RULE_LIMITS.approvals).describe('How many people have to approve.'),
  owners: z.boolean().describe('Whether an owner of every changed path has to approve, as CODEOWNERS says.'),
  resolvedDiscussions: z
    .boolean()
    .describe('Whether a person has to resolve every discussion; `addressed` is not enough.'),
  approvedPlan: z.boolean().describe('Whether the newest version of the linked plan has to be approved.'),
  keepApprovals: z
    .boolean()
    .describe(
      'Whether an approval still counts after a push that leaves the patch as it was, as a rebase can.',
    ),
  allowOnlyPerson: z
    .boolean()
    .describe('Whether the only active person of an organization can approve their own work.'),
};

export const SetMergeRuleInput = z.object({
  repositoryId: uuid().optional().describe('Default: every repository.'),
  pattern: BranchPattern,
  approvals: ruleFields.approvals.optional().describe('Default: 1.'),
  owners: ruleFields.owners.optional(),
  statuses: z
    .array(
      z.object({
        name: requiredText({ max: RULE_LIMITS.accountCharacters }),
        userIds: z.array(uuid()).max(RULE_LIMITS.accounts).optional().describe('Members who may set it.'),
        hostAccounts: z
          .array(requiredText({ max: RULE_LIMITS.accountCharacters }))
          .max(RULE_LIMITS.accounts)
          .optional()
          .describe('Accounts and apps of the code host that may set it, by their login.'),
      }),
    )
    .max(RULE_LIMITS.statuses)
    .optional()
    .describe('Statuses that must be successful, with who may set each.'),
  resolvedDiscussions: ruleFields.resolvedDiscussions.optional(),
  approvedPlan: ruleFields.approvedPlan.optional(),
  keepApprovals: ruleFields.keepApprovals.optional(),
  allowOnlyPerson: ruleFields.allowOnlyPerson.optional(),
  mergeRole: z
    .enum([...MERGE_ROLES, 'nobody'])
    .optional()
    .describe(
      'The lowest role that may merge, `member` by default. `nobody`: only the people in `mergeUserIds`.',
    ),
  mergeUserIds: z
    .array(uuid())
    .max(RULE_LIMITS.accounts)
    .optional()
    .describe('Members who may merge too, whatever their role.'),
});

export const MergeRule = z
  .object({
    id: uuid(),
    repository: z.object({ id: uuid(), name: z.string() }).nullable().describe('Null: every repository.'),
    pattern: z.string(),
    ...ruleFields,
    statuses: z.array(
      z.object({ name: z.string(), people: z.array(Person), hostAccounts: z.array(z.string()) }),
    ),
    mergeRole: z.enum(MERGE_ROLES).nullable().describe('Null: only the people named.'),
    mergePeople: z.array(Person),
    updatedBy: Person.nullable().describe('Null: the operator.'),
    updatedAt: timestamp(),
  })
  .meta({ id: 'MergeRule' });

export const ListMergeRulesInput = z.object({});
export const MergeRuleList = z
  .object({
    rules: z
      .array(MergeRule)
      .describe(
        'Those of repositories that you see. Of several that match a branch, the first one here applies: rules of the repository before those of every repository, names before patterns, longer patterns before shorter ones.',
      ),
  })
  .meta({ id: 'MergeRuleList' });
export const DeleteMergeRuleInput = z.object({ mergeRuleId: uuid() });

export const REQUIREMENT_KINDS = [
  'draft',
  'approvals',
  'changes_requested',
  'owners',
  'status',
  'discussions',
  'plan',
  'mergeability',
  'who_may_merge',
] as const;

export const MergeRequirement = z
  .object({
    kind: z.enum(REQUIREMENT_KINDS).describe('More kinds may be added.'),
    isMet: z.boolean(),
    title: z.string().describe('What holds, or what is missing.'),
    detail: z.string().nullable().describe('Why it is missing, and who can do something about it.'),
    people: z.array(Person).describe('The people who can meet it, if it names some; at most 20.'),
    teams: z.array(Person).describe('The teams of which a member can meet it, if it names some; at most 20.'),
  })
  .meta({ id: 'MergeRequirement' });

export const MergeRequirements = z
  .object({
    rule: z
      .object({ id: uuid(), pattern: z.string() })
      .nullable()
      .describe('Null: no rule matches, so one approval by a second person is required.'),
    isMet: z.boolean().describe('Whether you can merge it now.'),
    requirements: z.array(MergeRequirement),
  })
  .meta({ id: 'MergeRequirements' });
