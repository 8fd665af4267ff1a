/** PUT /api/v2/organization/model: sets up the model that reviews use, or turns it off. */
import type { z } from 'zod';
import { defineOperation } from '../../context.ts';
import { acceptServerUrl } from '../../platform/core/network/server-url.ts';
import { DEFAULT_BUDGETS } from '../../platform/core/ports/model-endpoint.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ChangeModelSettingsInput, ModelSettings } from './contract.ts';
import { type ModelUse, sealModelKey } from './model-keys.ts';
import { type StoredModel, selectModelSettings, upsertModelSettings } from './model-store.ts';
import { presentModels } from './present-models.ts';

type ModelInput = NonNullable<z.output<typeof ChangeModelSettingsInput>['finding']>;

export const changeModelSettings = defineOperation({
  name: 'change-model-settings',
  group: 'Organization',
  summary: 'Set up the model that reviews use',
  description:
    'Code of the organization is sent to this server. Nothing is sent to it yet: test the model with `POST /api/v2/organization/model/test`.',
  http: { method: 'PUT', path: '/api/v2/organization/model', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeModelSettingsInput,
  output: ModelSettings,
  problems: [],
  async run(context, { budgets, finding, secondLook = null }) {
    const { actor, clock, secrets, settings } = context;
    const { organizationId, userId } = actor;
    const accept = async (model: ModelInput | null, field: string): Promise<StoredModel | null> =>
      model && {
        format: model.format,
        url: await acceptServerUrl(model.url, settings.allowPrivateAddresses, `${field}.url`),
        model: model.model,
      };
    const accepted = await accept(finding, 'finding');
    const acceptedSecond = finding && (await accept(secondLook, 'secondLook'));
    await inTransaction(context.db, async (db) => {
      const before = await selectModelSettings(db, organizationId, { lock: true });
      /** A stored key never goes to another server. */
      const keyOf = (
        use: ModelUse,
        input: ModelInput | null,
        stored: { before: StoredModel | null; after: StoredModel | null; key: Buffer | null },
      ): Buffer | null => {
        if (!input || stored.after === null || input.removeKey) return null;
        if (input.key !== undefined) return sealModelKey(secrets, organizationId, use, input.key);
        return stored.before?.url === stored.after.url ? stored.key : null;
      };
      await upsertModelSettings(db, {
        organizationId,
        finding: accepted,
        findingKey: keyOf('finding', finding, {
          before: before?.finding ?? null,
          after: accepted,
          key: before?.finding_key ?? null,
        }),
        secondLook: acceptedSecond,
        secondLookKey: keyOf('second_look', secondLook, {
          before: before?.second_look ?? null,
          after: acceptedSecond,
          key: before?.second_look_key ?? null,
        }),
        budgets: budgets ?? before?.budgets ?? settings.models?.budgets ?? DEFAULT_BUDGETS,
        userId,
        at: clock.now(),
      });
      await recordAudit(db, callerOf({ ...context, db }), {
        action: 'model.changed',
        subjectId: organizationId,
        subjectName: accepted?.model ?? 'none',
        detail: {
          enabled: accepted !== null,
          ...(accepted && { url: accepted.url, format: accepted.format }),
          ...(acceptedSecond && { secondLook: acceptedSecond.model, secondLookUrl: acceptedSecond.url }),
        },
      });
    });
    return presentModels(context);
  },
});
