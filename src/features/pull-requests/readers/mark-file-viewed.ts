/** PUT /api/v2/pull-requests/:pullRequestId/viewed-files: mark a file as viewed, until its content changes. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { MarkFileViewedInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { deleteViewedFile, writeViewedFile } from './reader-store.ts';

/** Fits into an index entry. */
const MAX_PATH_BYTES = 2000;

export const markFileViewed = defineOperation({
  name: 'mark-file-viewed',
  group: 'Pull requests',
  summary: 'Mark a file as viewed',
  description: 'For you alone. A file whose content changes is no longer marked.',
  http: { method: 'PUT', path: '/api/v2/pull-requests/:pullRequestId/viewed-files', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: MarkFileViewedInput,
  output: null,
  problems: ['not_found'],
  async run(context, { blob, path, pullRequestId, viewed }) {
    const { actor, clock, db } = context;
    if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
      throw invalidRequest([{ path: 'path', message: 'is too long to be marked' }]);
    }
    const { id } = await findPullRequest(context, pullRequestId);
    if (viewed) await writeViewedFile(db, actor, { pullRequestId: id, path, blob, at: clock.now() });
    else await deleteViewedFile(db, actor, { pullRequestId: id, path });
  },
});
