/** The plugins in integrations/: manifests parse, named tools exist, and scripts print what programs can read. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { operations } from '../../../src/operations.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { mountTools } from '../../../src/transports/mcp/tools.ts';
import { CHECKOUT } from '../../helpers/processes/countersign-process.ts';

const FOLDER = join(CHECKOUT, 'integrations');
const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { version: string };
const tools = mountTools({
  operations,
  settings: readConfig({}),
  version,
  site: { baseUrl: 'http://127.0.0.1:4000' },
  log: createLog({ level: 'silent', terminal: false }),
  isOutage: () => false,
}).map(({ listed }) => listed.name);

function runScript(file: string, words: string[]): string {
  const { status, stdout, stderr } = spawnSync('sh', [join(FOLDER, file), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

describe('manifests', () => {
  it.each(files.filter((file) => file.endsWith('.json')))('%s is JSON', (file) => {
    expect(JSON.parse(read(file))).toBeTypeOf('object');
  });

  it.each(['claude-code/.claude-plugin/plugin.json', 'codex/plugins/countersign/.codex-plugin/plugin.json'])(
    "%s has the package's version",
    (file) => {
      expect(JSON.parse(read(file)).version).toBe(version);
    },
  );
});

const instructions = files.filter((file) => /\.(md|mdc)$/.test(file) && read(file).includes('_plan'));

it.each([...instructions, ...files.filter((file) => file.endsWith('.mjs'))])(
  '%s names only tools that exist',
  (file) => {
    const named = read(file).match(
      /\b[a-z]+(?:_[a-z]+)*_(?:plan|grep|file|search|review|comments?|pr|event|findings?)\b/g,
    );
    expect(tools).toEqual(expect.arrayContaining([...new Set(named)]));
  },
);

it.each(instructions)('%s requires consent before an upload', (file) => {
  expect(read(file)).toMatch(/only after the user has agreed to the upload/);
});

it.each(['review-finder', 'review-refuter'])('the subagent %s names only tools that exist', (name) => {
  const text = read(`claude-code/agents/${name}.md`);
  expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: `));
  const named = text.match(/`([a-z]+(?:_[a-z]+)+)`/g)!.map((word) => word.slice(1, -1));
  expect(tools).toEqual(expect.arrayContaining(named));
});

it('every agent has instructions that name tools', () => {
  const agents = files
    .filter((file) => read(file).includes('update_plan'))
    .map((file) => file.split('/', 1)[0]);
  expect(new Set(agents)).toEqual(new Set(['claude-code', 'codex', 'cursor']));
});

describe("Cursor's install link", () => {
  it.each([
    ['https://review.example.com', 'https://review.example.com/mcp'],
    ['https://review.example.com/', 'https://review.example.com/mcp'],
    ['https://review.example.com/mcp', 'https://review.example.com/mcp'],
    ['https://review.example.com/mcp/', 'https://review.example.com/mcp'],
    ['http://10.0.0.1:4000/a~b>?>', 'http://10.0.0.1:4000/a~b>?>/mcp'],
  ])('for %s adds %s', (given, url) => {
    const link = new URL(runScript('cursor/install-link.sh', [given]).trim());
    expect(link.searchParams.get('name')).toBe('countersign');
    expect(JSON.parse(atob(link.searchParams.get('config')!))).toEqual({ url });
  });

  it('and mcp.json have the default URL of a new service', () => {
    const link = new URL(runScript('cursor/install-link.sh', []).trim());
    const added = JSON.parse(atob(link.searchParams.get('config')!));
    expect(JSON.parse(read('cursor/mcp.json')).mcpServers.countersign).toEqual(added);
  });
});
