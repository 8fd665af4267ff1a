/** Tool calls for tests; every reply is checked against its budget and its tool's schema. */
import type { Client, Tool } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

const DEFAULT_TOKENS = 10_000;
const BYTES_PER_TOKEN = 3;

export interface ToolAnswer {
  /** Undefined if the tool replies with text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at replies as a client without types does.
  structured: any;
  /** As a model receives it: the structured reply as JSON if there is one, and the text otherwise. */
  text: string;
}

/** The reply of a successful call. */
export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<ToolAnswer> {
  const toolDefinition = await definitionOf(client, name);
  const result = await client.callTool({ name, arguments: given }, { toolDefinition });
  const text = textOf(result.content);
  expect(result.isError ? text : 'no error').toBe('no error');
  const budget = ((given.maxTokens as number | undefined) ?? DEFAULT_TOKENS) * BYTES_PER_TOKEN;
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
  // Clients without support for structured replies show the JSON, or a text that reads better.
  if (name === 'repo_search') expect(text).not.toMatch(/^\{/);
  else if (toolDefinition.outputSchema) expect(JSON.parse(text)).toEqual(result.structuredContent);
  else expect(result.structuredContent).toBeUndefined();
  return { structured: result.structuredContent, text };
}

/** The text of a failed call. */
export async function failTool(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<string> {
  const result = await client.callTool({ name, arguments: given });
  expect(result).toMatchObject({ isError: true });
  expect(result.structuredContent).toBeUndefined();
  return textOf(result.content);
}

/** All pages, following the cursors. */
export async function readPages(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<ToolAnswer['structured'][]> {
  const pages: ToolAnswer['structured'][] = [];
  let { cursor } = given;
  do {
    const page = await callPage(client, name, { ...given, cursor });
    expect(page.more !== undefined).toBe(page.nextCursor !== undefined);
    pages.push(page);
    cursor = page.nextCursor;
    expect(pages.length).toBeLessThan(1000);
  } while (cursor);
  return pages;
}

/** One page in the same form for every tool: a text reply is parsed. */
export async function callPage(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<ToolAnswer['structured']> {
  const { structured, text } = await callTool(client, name, given);
  return structured ?? readText(text);
}

function readText(reply: string) {
  const [own, ...fenced] = reply.split(/\n<untrusted id="[^"]+"[^\n]*>\n/);
  const find = (pattern: RegExp) => pattern.exec(own!)?.[1];
  return {
    head: own!.split('\n')[0],
    commit: find(/ at commit ([0-9a-f]{40,64})\.$/m),
    more: find(/^more: (.+)$/m),
    nextCursor: find(/^nextCursor: (\S+)$/m),
    warning: find(/^warning: (.+)$/m),
    code: fenced.map((text) => text.replace(/\n<\/untrusted id="[^"]+">$/, '')).join(''),
  };
}

const listed = new WeakMap<Client, Promise<{ tools: Tool[] }>>();

/** The client validates replies against it. */
async function definitionOf(client: Client, name: string): Promise<Tool> {
  if (!listed.has(client)) listed.set(client, client.listTools());
  const { tools } = await listed.get(client)!;
  return tools.find((tool) => tool.name === name)!;
}

function textOf(content: readonly { type: string }[]): string {
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  return (content[0] as { text?: string }).text!;
}
