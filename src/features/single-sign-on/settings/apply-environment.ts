/** Applies the settings of environment variables to their organization, as soon as it exists. */

import type { EnvironmentSingleSignOn } from '../../../engines/identity-provider/contract.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import type { Db } from '../../../platform/db/index.ts';
import { operatorOf } from '../../audit/index.ts';
import { saveSettings } from './save-settings.ts';
import { findEnvironmentOrganization } from './settings-store.ts';

export async function applyEnvironment(
  services: { db: Db; secrets: SecretBox },
  environment: EnvironmentSingleSignOn,
  now: Date,
): Promise<void> {
  const { organization, ...settings } = environment;
  const organizationId = await findEnvironmentOrganization(services.db, organization);
  if (organizationId === undefined) return;
  await saveSettings(services, { ...settings, enabled: true }, operatorOf(organizationId, now));
}
