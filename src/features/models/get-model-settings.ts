/** GET /api/v2/organization/model: the model that reviews use, and what it used. */
import { defineOperation } from '../../context.ts';
import { GetModelSettingsInput, ModelSettings } from './contract.ts';
import { presentModels } from './present-models.ts';

export const getModelSettings = defineOperation({
  name: 'get-model-settings',
  group: 'Organization',
  summary: 'Get the model that reviews use',
  http: { method: 'GET', path: '/api/v2/organization/model', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: GetModelSettingsInput,
  output: ModelSettings,
  problems: [],
  run: (context) => presentModels(context),
});
