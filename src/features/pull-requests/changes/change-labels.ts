/** PATCH /api/v2/pull-requests/:pullRequestId/labels: adds and removes labels of a pull request of plain git. */
import { defineOperation } from '../../../context.ts';
import { maskValue } from '../../../engines/review/index.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { ChangeLabelsInput, LABEL_LIMITS, PullRequest } from '../contract.ts';
import { selectLabels } from '../store/label-store.ts';
import { refuseHost } from './refuse-host.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const changeLabels = defineOperation({
  name: 'change-labels',
  group: 'Pull requests',
  summary: 'Add and remove labels',
  description:
    'A label is a free text. Labels that others add at the same time stay. Pull requests of a code host are labeled there.',
  http: { method: 'PATCH', path: '/api/v2/pull-requests/:pullRequestId/labels', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangeLabelsInput,
  output: PullRequest,
  problems: ['not_found', 'conflict'],
  async run(context, { add = [], pullRequestId, remove = [] }) {
    const sent = await maskValue({ add, remove });
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const { labels: before } = change.pullRequest;
      refuseHost(change.pullRequest, 'labels');
      const known =
        sent.add.length > 0
          ? await selectLabels(change.db, context.actor, change.pullRequest.repository_id)
          : [];
      const labels = changed(before, sent, known);
      if (labels.length > Math.max(before.length, LABEL_LIMITS.labels))
        throw invalidRequest([
          { path: 'add', message: `makes more than ${LABEL_LIMITS.labels} labels on this pull request` },
        ]);
      const addedLabels = labels.filter((label) => !before.includes(label));
      const removedLabels = before.filter((label) => !labels.includes(label));
      if (addedLabels.length + removedLabels.length === 0) return;
      change.set({ labels });
      change.record('pull_request_labels_changed', { addedLabels, removedLabels });
    });
  },
});

/** Labels that differ only in case are one, written as `known` has it. */
function changed(
  before: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
  known: readonly string[],
): string[] {
  const fold = (label: string) => label.toLowerCase();
  const written = new Map(known.toReversed().map((label) => [fold(label), label]));
  const removed = new Set(remove.map((label) => fold(oneSpace(label))));
  const labels = new Map(
    before.flatMap((label) => (removed.has(fold(label)) ? [] : [[fold(label), label] as const])),
  );
  for (const label of add.map(oneSpace))
    if (!labels.has(fold(label))) labels.set(fold(label), written.get(fold(label)) ?? label);
  return [...labels.values()];
}

function oneSpace(label: string): string {
  return label.trim().replace(/\s+/g, ' ');
}
