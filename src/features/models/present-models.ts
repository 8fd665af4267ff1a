/** The models of an organization as the API shows them: never a key. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { DEFAULT_BUDGETS } from '../../platform/core/ports/model-endpoint.ts';
import type { ModelSettings } from './contract.ts';
import { type StoredModel, selectModelSettings, selectMonthUsage } from './model-store.ts';

export async function presentModels({
  actor,
  clock,
  db,
  settings,
}: Context): Promise<z.input<typeof ModelSettings>> {
  const row = await selectModelSettings(db, actor.organizationId);
  const common = {
    usedThisMonth: await selectMonthUsage(db, actor.organizationId, clock.now()),
    allowsPrivateAddresses: settings.allowPrivateAddresses,
  };
  if (!row) {
    const { budgets = DEFAULT_BUDGETS, finding = null, secondLook = null } = settings.models ?? {};
    return {
      source: settings.models ? 'environment' : 'none',
      finding: finding && present(finding, finding.key !== null),
      secondLook: secondLook && present(secondLook, secondLook.key !== null),
      budgets,
      tested: null,
      updatedBy: null,
      updatedAt: null,
      ...common,
    };
  }
  return {
    source: row.finding ? 'organization' : settings.models ? 'off' : 'none',
    finding: row.finding && present(row.finding, row.finding_key !== null),
    secondLook: row.second_look && present(row.second_look, row.second_look_key !== null),
    budgets: row.budgets,
    tested: row.tested && row.tested_at && { ...row.tested, at: row.tested_at.toISOString() },
    updatedBy: { id: row.updated_by, name: row.updated_by_name },
    updatedAt: row.updated_at.toISOString(),
    ...common,
  };
}

function present({ format, model, url }: StoredModel, hasKey: boolean) {
  return { format, url, model, hasKey };
}
