/** The shapes of labels and assignees. */
import { z } from 'zod';
import { requiredText, uuid } from '../../../platform/core/operations/shapes.ts';
import { PullRequestId } from './contract-fields.ts';

export const LABEL_LIMITS = { characters: 50, labels: 20, assignees: 10, suggestions: 100 } as const;

export const Label = requiredText({ max: LABEL_LIMITS.characters }).regex(
  /^\P{Cc}*$/u,
  'must be one line of text',
);
const labels = z.array(Label).max(LABEL_LIMITS.labels).optional();
export const ChangeLabelsInput = z.object({
  pullRequestId: PullRequestId,
  add: labels.describe(`A pull request has at most ${LABEL_LIMITS.labels}.`),
  remove: labels,
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
