/** The catalog of tools, as a client lists it. */
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { operations } from '../../operations.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { listedTools, mountTools } from './tools.ts';

const services = {
  settings: readConfig({}),
  version: '1.0.0',
  site: { baseUrl: 'https://countersign.example' },
  log: createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } }),
  isOutage: () => false,
};
const mounted = mountTools({ ...services, operations });
const tools = mounted.map(({ listed }) => listed);
const names = tools.map(({ name }) => name);
const sent = listedTools(mounted);

describe('the catalog', () => {
  it('has the tools that planner plugins call', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        ...['remote_file_search', 'remote_grep', 'update_plan', 'get_plan_comments'],
        ...['respond_to_plan_comment', 'link_plan_to_pr', 'record_session_event'],
      ]),
    );
  });

  it('has one file for each tool, named after it', () => {
    const files = globSync('tools/*', { cwd: import.meta.dirname });
    expect(files.sort()).toEqual(names.map((name) => `tools/${name.replaceAll('_', '-')}.ts`).sort());
  });

  // Raised from 26,000 for set_status, so that CI needs no thirteenth endpoint that accepts a key.
  it('is small enough to be sent to a model with every request', () => {
    expect(sent.length).toBeLessThanOrEqual(22);
    const read = sent.map(({ description, inputSchema, name }) => ({ name, description, inputSchema }));
    expect(Buffer.byteLength(JSON.stringify(read))).toBeLessThanOrEqual(28_000);
    expect(Buffer.byteLength(JSON.stringify({ tools: sent }))).toBeLessThanOrEqual(46_000);
  });

  it('can still be called by former names, which it does not list', () => {
    const former = mounted.flatMap(({ formerNames }) => formerNames ?? []);
    expect(former).toEqual(['wait_for_plan_review']);
    expect(names.filter((name) => former.includes(name))).toEqual([]);
  });

  it('does not list what only the hook of a git server calls', () => {
    const listed = new Set(sent.map(({ name }) => name));
    expect(names.filter((name) => !listed.has(name))).toEqual(['check_push']);
  });

  it('has no way to approve, resolve or merge', () => {
    expect(names.filter((name) => /approve|resolve|merge|dismiss/.test(name))).toEqual([]);
  });

  it('omits a tool if one of its operations is not in the table', () => {
    const fewer = operations.filter(({ name }) => name !== 'read-file');
    expect(mountTools({ ...services, operations: fewer }).map(({ listed }) => listed.name)).toEqual(
      names.filter((name) => name !== 'remote_read_file'),
    );
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  it('has all hints, with the right values', () => {
    const reads = /^(remote|repo|get|list|wait|who|find|check)_/.test(tool.name);
    expect(tool.annotations).toEqual({
      readOnlyHint: reads,
      destructiveHint: false,
      idempotentHint: !['record_session_event', 'start_review', 'finish_review'].includes(tool.name),
      openWorldHint: false,
    });
  });

  it('has a short description that names only tools that exist', () => {
    expect(tool.description!.length).toBeLessThan(1600);
    const named = [...tool.description!.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map((match) => match[1]!);
    const known = /^(planner_\w+|changes_requested|too_large|removed_but_used)$/;
    expect(named.filter((word) => !known.test(word) && !names.includes(word))).toEqual([]);
  });

  it('takes a plain object: no unions, no references, every argument described', () => {
    const text = JSON.stringify(tool.inputSchema);
    expect(text).not.toMatch(/"(anyOf|oneOf|allOf|not|\$ref|\$defs|propertyNames)"/);
    expect(tool.inputSchema.type).toBe('object');
    for (const [argument, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      const { description, type } = schema as { description?: string; type?: string | string[] };
      expect([type].flat()[0], argument).toBeTypeOf('string');
      expect(description, argument).toBeTypeOf('string');
    }
  });

  it('describes its reply without unions; tools that return code reply with text', () => {
    if (['find_symbol', 'remote_grep', 'remote_read_file', 'who_uses'].includes(tool.name)) {
      expect(tool.outputSchema).toBeUndefined();
      return;
    }
    expect(tool.outputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(JSON.stringify(tool.outputSchema)).not.toMatch(
      /"(anyOf|oneOf|allOf|additionalProperties|description":")/,
    );
  });

  it('takes a budget if it reads or sends a change', () => {
    const taken = Object.keys(tool.inputSchema.properties ?? {});
    const reads = /^((remote|repo|get|list|wait|who|find)_|start_review)/.test(tool.name);
    expect(taken.includes('maxTokens')).toBe(reads);
    // wait_for_review continues from `since` instead.
    expect(taken.includes('cursor')).toBe(reads && tool.name !== 'wait_for_review');
  });
});
