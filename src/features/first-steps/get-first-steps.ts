/** GET /api/v2/first-steps: whether an agent of the caller has connected, and what the caller skipped. */
import { defineOperation } from '../../context.ts';
import { FirstSteps, GetFirstStepsInput } from './contract.ts';
import { presentFirstSteps } from './present-first-steps.ts';

export const getFirstSteps = defineOperation({
  name: 'get-first-steps',
  group: 'Accounts',
  summary: 'Get your first steps',
  description:
    'Whether one of your agents has called over MCP, and which steps of “Get started” you skipped.',
  http: { method: 'GET', path: '/api/v2/first-steps', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetFirstStepsInput,
  output: FirstSteps,
  problems: [],
  run: ({ actor, db }) => presentFirstSteps(db, actor),
});
