/** Prompts over real HTTP: listed with their arguments, filled in, and naming only tools that exist. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { connect } from '../../../test/mcp/clients.ts';
import { PROMPTS } from './prompts.ts';

const service = await startTestService();
const headers = { 'x-api-key': service.acme.member.key };

describe('prompts', () => {
  it('lists every prompt with described arguments', async () => {
    const client = await connect(service.url, headers);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'plan-a-change',
      'answer-plan-comments',
      'address-review',
      'review-changes',
    ]);
    for (const prompt of prompts) {
      expect(prompt.description).toBeTruthy();
      for (const argument of prompt.arguments!) expect(argument.description, argument.name).toBeTruthy();
    }
  });

  it('fills in the given arguments and omits the others', async () => {
    const client = await connect(service.url, headers);
    const { messages } = await client.getPrompt({
      name: 'plan-a-change',
      arguments: { task: 'Stream the export $& {{task}}' },
    });
    expect(messages).toHaveLength(1);
    const { text } = messages[0]!.content as { text: string };
    expect(text).toMatch(/^Plan the change/);
    expect(text).toMatch(/## The change\n\nStream the export \$& \{\{task\}\}$/);
    expect(text).not.toContain('Repositories to look at');
  });

  it('needs no argument to address a review: the agent knows its branch', async () => {
    const client = await connect(service.url, headers);
    const { messages } = await client.getPrompt({ name: 'address-review' });
    const { text } = messages[0]!.content as { text: string };
    const tools = ['get_branch_discussions', 'reply_to_discussion', 'wait_for_review'];
    const order = tools.map((tool) => text.indexOf(`\`${tool}\``));
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    expect(order[0]).toBeGreaterThan(0);
    expect(text).toContain('`fixedIn`');
    expect(text).not.toContain('## ');
  });

  it('names missing arguments, and the available prompts', async () => {
    const client = await connect(service.url, headers);
    await expect(client.getPrompt({ name: 'answer-plan-comments' })).rejects.toThrow('requires planId');
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(
      'plan-a-change, answer-plan-comments',
    );
  });
});

describe('the texts', () => {
  it('belong to one prompt each', () => {
    const files = readdirSync(join(import.meta.dirname, 'prompts'));
    expect(files.toSorted()).toEqual(PROMPTS.map(({ name }) => `${name}.md`).toSorted());
  });

  it('name only tools that exist', async () => {
    const client = await connect(service.url, headers);
    const tools = new Set((await client.listTools()).tools.map(({ name }) => name));
    for (const prompt of PROMPTS) {
      const given = Object.fromEntries(prompt.arguments.map(({ name }) => [name, 'x']));
      const { messages } = await client.getPrompt({ name: prompt.name, arguments: given });
      const { text } = messages[0]!.content as { text: string };
      const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map((match) => match[1]!);
      expect(named.length).toBeGreaterThan(3);
      expect(named.filter((name) => !tools.has(name))).toEqual([]);
    }
  });
});
