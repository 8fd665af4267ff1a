/** PUT /api/v2/first-steps/:step: skips a step of “Get started”, or shows it again. */
import { defineOperation } from '../../context.ts';
import { FirstSteps, SkipFirstStepInput } from './contract.ts';
import { saveSkipped } from './first-steps-store.ts';
import { presentFirstSteps } from './present-first-steps.ts';

export const skipFirstStep = defineOperation({
  name: 'skip-first-step',
  group: 'Accounts',
  summary: 'Skip a first step',
  description: 'For the caller only. A step that is done stays done.',
  http: { method: 'PUT', path: '/api/v2/first-steps/:step', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: SkipFirstStepInput,
  output: FirstSteps,
  problems: [],
  async run({ actor, db }, { skipped, step }) {
    await saveSkipped(db, actor, step, skipped);
    return presentFirstSteps(db, actor);
  },
});
