/**
 * The prompts of the MCP server: each puts the tools together for one task. Their texts name only tools that exist, so
 * `address-review` grows when the discussions of pull requests can be read.
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
  description: 'The id of the plan, or its address in the web app.',
  required: true,
};

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'plan-a-change',
    title: 'Plan a change',
    description: 'Look into the code, write a plan, have it reviewed, and wait for approval before coding.',
    arguments: [
      {
        name: 'task',
        title: 'The change',
        description: 'What is to be changed, in your own words.',
        required: true,
      },
      {
        name: 'repositories',
        title: 'Repositories to look at',
        description: 'Names of repositories that are concerned, if you know them.',
        required: false,
      },
    ],
  },
  {
    name: 'answer-plan-comments',
    title: 'Answer comments on a plan',
    description: 'Go through what reviewers wrote on a plan, change it where they are right, and answer.',
    arguments: [PLAN_ID],
  },
  {
    name: 'address-review',
    title: 'Address a review',
    description:
      'Bring the code in line with a reviewed plan, settle what is open, and link the pull request.',
    arguments: [
      PLAN_ID,
      {
        name: 'pullRequest',
        title: 'The pull request',
        description: 'Its number or address, if there is one already.',
        required: false,
      },
    ],
  },
];

/** Read once: they are part of the program. */
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
        `There is no such prompt; there are ${PROMPTS.map(({ name }) => name).join(', ')}.`,
      );
    }
    const text = fillPrompt(prompt, params.arguments ?? {});
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

/** The instructions first, then what the user gave, each under its heading. */
function fillPrompt(prompt: Prompt, given: Record<string, string>): string {
  const values = prompt.arguments.map((argument) => ({ ...argument, value: given[argument.name]?.trim() }));
  const missing = values.filter(({ required, value }) => required && !value).map(({ name }) => name);
  if (missing.length > 0) throw invalidParams(`The prompt ${prompt.name} needs ${missing.join(' and ')}.`);
  const sections = values.filter(({ value }) => value).map(({ title, value }) => `## ${title}\n\n${value}`);
  return [texts.get(prompt.name), ...sections].join('\n\n');
}
