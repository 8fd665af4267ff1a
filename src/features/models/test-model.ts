/** POST /api/v2/organization/model/test: asks the models two short questions and says what they can do. */
import { defineOperation } from '../../context.ts';
import { tryModel } from '../../engines/models/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { ModelEndpoint } from '../../platform/core/ports/model-endpoint.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { ModelTest, TestModelInput } from './contract.ts';
import { selectModelSettings, writeTest } from './model-store.ts';
import { openBudget } from './open-budget.ts';
import { modelsOf } from './open-models.ts';

export const testModel = defineOperation({
  name: 'test-model',
  group: 'Organization',
  summary: 'Test the model that reviews use',
  description: 'Asks two short questions, without any code. Takes up to two minutes.',
  http: { method: 'POST', path: '/api/v2/organization/model/test', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: TestModelInput,
  output: ModelTest,
  problems: ['conflict'],
  async run(context) {
    const { actor, clock, db, secrets, settings } = context;
    const { organizationId } = actor;
    const row = await selectModelSettings(db, organizationId);
    const models = row
      ? modelsOf({ secrets, allowPrivateAddresses: settings.allowPrivateAddresses }, organizationId, row)
      : settings.models;
    if (!models) throw new Problem('conflict', 'No model is set up.');
    const budget = await openBudget(
      { db, now: () => clock.now() },
      { id: uuidv7(), organizationId, purpose: 'test', pullRequestId: null },
      models.budgets,
    );
    const ask = (endpoint: ModelEndpoint) =>
      tryModel(endpoint, {
        signal: context.disconnected(),
        onUsage: (usage) => budget.use(endpoint.model, usage),
      });
    const [finding, secondLook] = await Promise.all([
      ask(models.finding),
      models.secondLook && ask(models.secondLook),
    ]);
    await budget.flush();
    const tested = { finding, secondLook };
    if (row) await writeTest(db, organizationId, { tested, at: clock.now(), settingsOf: row.updated_at });
    return tested;
  },
});
