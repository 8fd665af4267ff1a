/** The shapes of signing an agent in, and of the agents that are signed in. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import { text, timestamp, uuid } from '../../platform/core/shapes.ts';

const SignInId = text({ min: 1, max: 100 }).describe('As it stands in the address of the page.');

export const GetAgentSignInInput = z.object({ signInId: SignInId });
export const AgentSignInRequest = z
  .object({
    agent: z.object({
      name: z.string().describe('What the agent calls itself; nobody has checked it.'),
      address: z.string().nullable().describe('The web page it names as its own, when it does.'),
      returnsTo: z
        .string()
        .describe('Where the browser goes afterwards: a host, or a program on this computer.'),
      isLocal: z.boolean().describe('Whether it returns to a program on the computer of the browser.'),
    }),
    organization: z.object({ id: uuid(), name: z.string() }).describe('That of your session.'),
    expiresAt: timestamp(),
  })
  .meta({ id: 'AgentSignInRequest' });

export const AnswerAgentSignInInput = z.object({
  signInId: SignInId,
  allow: z.boolean(),
  shown: z
    .object({ userId: uuid(), organizationId: uuid() })
    .optional()
    .describe('Who the person was told they are, and where; refused when the session says otherwise by now.'),
});
export const AgentSignInAnswer = z
  .object({
    continueAt: z.string().describe('Where the browser goes next; good once, in this browser.'),
  })
  .meta({ id: 'AgentSignInAnswer' });

export const ListAgentsInput = z.object({ ...PAGE_INPUT });
const SignedInAgent = z.object({
  id: uuid(),
  name: z.string(),
  address: z.string().nullable(),
  returnsTo: z.string(),
  signedInAt: timestamp(),
  lastUsedAt: timestamp().nullable().describe('To the minute.'),
});
export const SignedInAgents = z
  .object({
    agents: z.array(SignedInAgent).describe('Yours in this organization, newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'SignedInAgents' });

export const RevokeAgentInput = z.object({ agentId: uuid() });
