/** DELETE /api/v2/organization/model: forgets the organization's own model; that of the environment is used again, if there is one. */
import { defineOperation } from '../../context.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ModelSettings, ResetModelSettingsInput } from './contract.ts';
import { deleteModelSettings } from './model-store.ts';
import { presentModels } from './present-models.ts';

export const resetModelSettings = defineOperation({
  name: 'reset-model-settings',
  group: 'Organization',
  summary: 'Remove the organization’s own model',
  description: 'Deletes the settings and keys. If the operator has set up a model, it is used again.',
  http: { method: 'DELETE', path: '/api/v2/organization/model', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ResetModelSettingsInput,
  output: ModelSettings,
  problems: [],
  async run(context) {
    const { actor, settings } = context;
    await inTransaction(context.db, async (db) => {
      if (!(await deleteModelSettings(db, actor.organizationId))) return;
      await recordAudit(db, callerOf({ ...context, db }), {
        action: 'model.changed',
        subjectId: actor.organizationId,
        subjectName: settings.models?.finding.model ?? 'none',
        detail: { enabled: settings.models !== undefined },
      });
    });
    return presentModels(context);
  },
});
