/** The shapes of labels and assignees. */
import { z } from 'zod';
import { requiredText, uuid } from '../../../platform/core/operations/shapes.ts';
import { PullRequestId } from './contract-fields.ts';

export const LABEL_LIMITS = { characters: 50, labels: 20, assignees: 10, suggestions: 100 } as const;

/** Without direction overrides and what nobody sees; joiners and variation selectors are parts of scripts and emoji. */
const VISIBLE_LINE =
  /^(?=.*[\p{L}\p{N}\p{P}\p{S}])(?:\u200c|\u200d|[\ufe00-\ufe0f]|(?!\p{Default_Ignorable_Code_Point})[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}])*$/u;
const anyLabel = requiredText({ max: LABEL_LIMITS.characters });
export const Label = anyLabel.regex(VISIBLE_LINE, 'must be one line of visible text');
export const ChangeLabelsInput = z.object({
  pullRequestId: PullRequestId,
  add: z
    .array(Label)
    .max(LABEL_LIMITS.labels)
    .optional()
    .describe(
      `A pull request has at most ${LABEL_LIMITS.labels}. One that the repository has in another case is written as there.`,
    ),
  remove: z.array(anyLabel).max(LABEL_LIMITS.labels).optional(),
});

const people = z.array(uuid()).max(LABEL_LIMITS.assignees).optional();
export const ChangeAssigneesInput = z.object({
  pullRequestId: PullRequestId,
  add: people.describe(
    `Members who can see the repository. A pull request has at most ${LABEL_LIMITS.assignees}.`,
  ),
  remove: people,
});

export const Assignees = z
  .array(z.object({ id: uuid(), name: z.string() }))
  .describe('Who works on it; always empty on a code host.');

export const ListLabelsInput = z.object({ repositoryId: uuid().optional() });
export const LabelList = z
  .object({
    labels: z
      .array(z.string())
      .describe(
        `Of the pull requests that changed last, most used first; at most ${LABEL_LIMITS.suggestions}.`,
      ),
  })
  .meta({ id: 'LabelList' });
