/** GET /api/v2/discussions/:discussionId/dismissal: what dismissing a finding would hide, before a person does it. */
import { defineOperation } from '../../../context.ts';
import { CHECKS } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { pullRequestOf } from '../../discussions/index.ts';
import { findPullRequest } from '../../pull-requests/index.ts';
import { DismissalPreview, PreviewDismissalInput } from '../contract.ts';
import { scopesFor } from './covering-decision.ts';
import { selectFindingOf } from './decision-store.ts';
import { findHidden, toFinding } from './hidden-findings.ts';
import { wouldPause } from './paused-checks.ts';

export const previewDismissal = defineOperation({
  name: 'preview-dismissal',
  group: 'Reviews',
  summary: 'Preview a dismissal',
  description: 'Which other open findings would be dismissed too. Changes nothing.',
  http: { method: 'GET', path: '/api/v2/discussions/:discussionId/dismissal', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: PreviewDismissalInput,
  output: DismissalPreview,
  problems: ['not_found', 'conflict'],
  async run(context, { discussionId, scope }) {
    const { actor, db } = context;
    const pullRequest = await findPullRequest(context, await pullRequestOf(context, discussionId));
    const finding = await selectFindingOf(db, actor.organizationId, discussionId);
    if (!finding) throw new Problem('conflict', 'Only findings of reviewers can be dismissed.');
    const found = toFinding(finding);
    const scopes = scopesFor(found);
    const hidden = scopes.includes(scope)
      ? await findHidden(db, actor, { discussionId, repositoryId: pullRequest.repository_id, finding, scope })
      : [];
    return {
      check: found.check,
      looksFor:
        finding.built_in === null
          ? null
          : (CHECKS.find(({ name }) => name === found.check)?.looksFor ?? null),
      // Rules of custom reviewers and files have no symbol.
      subject: finding.built_in === null || found.subject === found.file ? null : found.subject,
      path: found.file,
      scopes,
      pausesCheck: await wouldPause(db, pullRequest.repository_id, finding),
      hides: hidden.map((row) => ({
        ...{ discussionId: row.discussion_id, title: row.title, file: row.file, line: row.line },
        ...{ repository: row.repository_name, pullRequestId: row.pull_request_id },
        pullRequestNumber: row.number,
      })),
    };
  },
});
