/** The models that an organization uses: its own, or else those of the environment. */
import type { ConfiguredModels, ModelEndpoint } from '../../platform/core/ports/model-endpoint.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Db } from '../../platform/db/index.ts';
import { type ModelUse, openModelKey } from './model-keys.ts';
import { type ModelSettingsRow, type StoredModel, selectModelSettings } from './model-store.ts';

export interface ModelServices {
  db: Db;
  secrets: SecretBox;
  /** Configured in the environment. */
  models: ConfiguredModels | undefined;
  allowPrivateAddresses: boolean;
}

/** Undefined when no model is used. */
export async function openModels(
  services: ModelServices,
  organizationId: string,
): Promise<ConfiguredModels | undefined> {
  const row = await selectModelSettings(services.db, organizationId);
  return row ? modelsOf(services, organizationId, row) : services.models;
}

/** Whether reviews ask a model. */
export async function usesModel(
  { db, models }: Pick<ModelServices, 'db' | 'models'>,
  organizationId: string,
): Promise<boolean> {
  const row = await selectModelSettings(db, organizationId);
  return row ? row.finding !== null : models !== undefined;
}

export function modelsOf(
  { allowPrivateAddresses, secrets }: Pick<ModelServices, 'allowPrivateAddresses' | 'secrets'>,
  organizationId: string,
  row: ModelSettingsRow,
): ConfiguredModels | undefined {
  if (row.finding === null) return undefined;
  const endpoint = (model: StoredModel, use: ModelUse, sealed: Buffer | null): ModelEndpoint => ({
    ...model,
    key: openModelKey(secrets, organizationId, use, sealed),
    allowPrivateAddresses,
  });
  return {
    finding: endpoint(row.finding, 'finding', row.finding_key),
    secondLook: row.second_look && endpoint(row.second_look, 'second_look', row.second_look_key),
    budgets: row.budgets,
  };
}
