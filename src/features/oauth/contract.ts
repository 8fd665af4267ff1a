/** The shapes of agent sign-in and of signed-in agents. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

const SignInId = text({ min: 1, max: 100 }).describe('From the URL of the sign-in page.');

export const GetAgentSignInInput = z.object({ signInId: SignInId });
export const AgentSignInRequest = z
  .object({
    agent: z.object({
      name: z.string().describe('The name that the agent gives itself; not verified.'),
      address: z
        .string()
        .nullable()
        .describe('The website that the agent names as its own, if any; not verified.'),
      returnsTo: z
        .string()
        .describe('Where the browser is sent afterwards: a host, or a program on this computer.'),
      isLocal: z.boolean().describe('Whether the browser returns to a program on the same computer.'),
    }),
    organization: z.object({ id: uuid(), name: z.string() }).describe('The organization of your session.'),
    expiresAt: timestamp(),
  })
  .meta({ id: 'AgentSignInRequest' });

export const AnswerAgentSignInInput = z.object({
  signInId: SignInId,
  allow: z.boolean(),
  shown: z
    .object({ userId: uuid(), organizationId: uuid() })
    .optional()
    .describe(
      'The user and organization shown on the page. The answer is rejected if the session has changed since.',
    ),
});
export const AgentSignInAnswer = z
  .object({
    continueAt: z.string().describe('Where to send the browser next. Works once, in this browser only.'),
  })
  .meta({ id: 'AgentSignInAnswer' });

export const ListAgentsInput = z.object({ ...PAGE_INPUT });
const SignedInAgent = z.object({
  id: uuid(),
  name: z.string(),
  address: z.string().nullable(),
  returnsTo: z.string(),
  signedInAt: timestamp(),
  lastUsedAt: timestamp().nullable().describe('Accurate to the minute.'),
});
export const SignedInAgents = z
  .object({
    agents: z.array(SignedInAgent).describe('Your signed-in agents in this organization, newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'SignedInAgents' });

export const RevokeAgentInput = z.object({ agentId: uuid() });
