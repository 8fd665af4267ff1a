/** DELETE /api/v2/code-hosts/:codeHostId/selections/:selectionId: stops adding repositories by a pattern. */

import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { findCodeHost } from '../connections/find-code-host.ts';
import { hostName } from '../connections/present-code-host.ts';
import { deleteSelection } from '../connections/selection-store.ts';
import { RemoveHostSelectionInput } from '../contract.ts';

export const removeHostSelection = defineOperation({
  name: 'remove-host-selection',
  group: 'Code hosts',
  summary: 'Remove a pattern of repositories',
  description: 'New repositories that match are no longer added. Repositories that were added stay.',
  http: { method: 'DELETE', path: '/api/v2/code-hosts/:codeHostId/selections/:selectionId', status: 204 },
  accepts: ['session'],
  role: 'admin',
  input: RemoveHostSelectionInput,
  output: null,
  problems: ['not_found'],
  async run(context, { codeHostId, selectionId }) {
    const { actor, db } = context;
    const row = await findCodeHost(context, codeHostId);
    await inTransaction(db, async (transaction) => {
      const deleted = await deleteSelection(transaction, actor.organizationId, codeHostId, selectionId);
      if (!deleted) throw notFound('The pattern');
      await recordAudit(transaction, callerOf(context), {
        action: 'code_host.pattern_removed',
        subjectId: codeHostId,
        subjectName: hostName(row),
        detail: { pattern: deleted.pattern },
      });
    });
  },
});
