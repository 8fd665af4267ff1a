/**
 * The prompts of the MCP server: each combines the tools for one task. Their texts are in `prompts/` and name only tools
 * that exist.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '@modelcontextprotocol/server';
import { invalidParams } from './protocol-failure.ts';

interface PromptArgument {
  name: string;
  title: string;
  description: string;
  required: boolean;
}

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
}

const PLAN_ID: PromptArgument = {
  name: 'planId',
  title: 'The plan',
  description: 'The id of the plan or the URL of its page.',
  required: true,
};

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'plan-a-change',
    title: 'Plan a change',
    description: 'Explore the code, write a plan, have it reviewed, and wait for approval before coding.',
    arguments: [
      {
        name: 'task',
        title: 'The change',
        description: 'What to change, in your own words.',
        required: true,
      },
      {
        name: 'repositories',
        title: 'Repositories to look at',
        description: 'Names of the affected repositories, if you know them.',
        required: false,
      },
    ],
  },
  {
    name: 'answer-plan-comments',
    title: 'Answer comments on a plan',
    description: 'Go through the comments on a plan, change the plan where they are right, and reply.',
    arguments: [PLAN_ID],
  },
  {
    name: 'address-review',
    title: 'Address a review',
    description: "Work through the review discussions of a branch's pull request: fix, reply, wait.",
    arguments: [
      {
        name: 'repository',
        title: 'The repository',
        description: 'Its name. Default: the repository of the working copy.',
        required: false,
      },
      {
        name: 'branch',
        title: 'The branch',
        description: 'The head branch of the pull request. Default: the current branch of the working copy.',
        required: false,
      },
      {
        ...PLAN_ID,
        description:
          'The id of the plan that the branch implements, or the URL of its page, if there is one.',
        required: false,
      },
    ],
  },
  {
    name: 'review-changes',
    title: 'Review changes',
    description: 'Review a change before a push, or a pull request, and report only what can be shown.',
    arguments: [
      {
        name: 'change',
        title: 'What to review',
        description: 'A pull request or a branch. Default: what is not pushed in the working copy.',
        required: false,
      },
    ],
  },
];

/** Read once, at startup. */
const texts = new Map(
  PROMPTS.map(({ name }) => [
    name,
    readFileSync(join(import.meta.dirname, 'prompts', `${name}.md`), 'utf8').trim(),
  ]),
);

export function addPrompts(server: Server): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (!prompt) {
      throw invalidParams(
        `Unknown prompt. Available prompts: ${PROMPTS.map(({ name }) => name).join(', ')}.`,
      );
    }
    const text = fillPrompt(prompt, params.arguments ?? {});
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

/** The instructions, followed by each argument under a heading. */
function fillPrompt(prompt: Prompt, given: Record<string, string>): string {
  const values = prompt.arguments.map((argument) => ({ ...argument, value: given[argument.name]?.trim() }));
  const missing = values.filter(({ required, value }) => required && !value).map(({ name }) => name);
  if (missing.length > 0) throw invalidParams(`The prompt ${prompt.name} requires ${missing.join(' and ')}.`);
  const sections = values.filter(({ value }) => value).map(({ title, value }) => `## ${title}\n\n${value}`);
  return [texts.get(prompt.name), ...sections].join('\n\n');
}
