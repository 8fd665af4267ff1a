/** The shapes of the first steps of a new organization. */
import { z } from 'zod';
import { timestamp } from '../../platform/core/operations/shapes.ts';

export const STEPS = ['agent', 'repository', 'plan', 'pull_request', 'team', 'curl'] as const;
const Step = z.enum(STEPS);

export const GetFirstStepsInput = z.object({});
export const FirstSteps = z
  .object({
    agent: z
      .object({
        name: z.string().describe('The name that the agent gives itself; not verified.'),
        connectedAt: timestamp(),
      })
      .nullable()
      .describe('The first agent of yours that called over MCP in this organization.'),
    skipped: z.array(Step).describe('The steps that you skipped.'),
  })
  .meta({ id: 'FirstSteps' });

export const SkipFirstStepInput = z.object({
  step: Step,
  skipped: z.boolean().describe('False shows the step again.'),
});
