/** Python: pyproject.toml, requirements files, setup.cfg, setup.py and Pipfile. */
import { at, type DataNode, entries, items, text } from '../data/data-node.ts';
import { readToml } from '../data/read-toml.ts';
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage, type Scope } from './dependencies.ts';

const REQUIREMENT =
  /^\s{0,20}([A-Za-z0-9](?:[\w.-]{0,150}[A-Za-z0-9])?)\s{0,8}(?:\[[^\]]{0,200}\])?\s{0,8}(@[^;#]{1,300}|\(?[<>=!~][^;#]{0,200})?\s{0,20}(?:;|#|$)/;

/** PEP 503. */
export function normalizePythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

function addRequirement(requirement: string, line: number, scope: Scope | undefined, facts: FactList): void {
  const match = REQUIREMENT.exec(requirement);
  if (!match || match[1]!.toLowerCase() === 'python') return;
  const version = match[2]?.replace(/^\(|\)\s*$/g, '').trim();
  const name = normalizePythonName(match[1]!);
  addDependency(facts, { ecosystem: 'pypi', name, version, scope, line });
}

export function readPyproject(source: string, facts: FactList): void {
  const root = readToml(source);
  const project = at(root, 'project');
  const poetry = at(root, 'tool', 'poetry');
  addNamed(at(project, 'name') ?? at(poetry, 'name'), at(project, 'version') ?? at(poetry, 'version'), facts);
  addRequirements(items(at(project, 'dependencies')), undefined, facts);
  for (const [, group] of entries(at(project, 'optional-dependencies'))) {
    addRequirements(items(group), 'optional', facts);
  }
  for (const [, group] of entries(at(root, 'dependency-groups'))) addRequirements(items(group), 'dev', facts);
  addRequirements(items(at(root, 'build-system', 'requires')), 'build', facts);
  addTable(at(poetry, 'dependencies'), undefined, facts);
  addTable(at(poetry, 'dev-dependencies'), 'dev', facts);
  for (const [, group] of entries(at(poetry, 'group'))) addTable(at(group, 'dependencies'), 'dev', facts);
  for (const member of items(at(root, 'tool', 'uv', 'workspace', 'members'))) {
    const name = text(member);
    if (name) facts.add({ kind: 'workspace', role: 'provides', name, line: member.line, detail: 'pypi' });
  }
}

export function readPipfile(source: string, facts: FactList): void {
  const root = readToml(source);
  addTable(at(root, 'packages'), undefined, facts);
  addTable(at(root, 'dev-packages'), 'dev', facts);
}

function addNamed(name: DataNode | undefined, version: DataNode | undefined, facts: FactList): void {
  const written = text(name);
  if (!name || !written) return;
  addPackage(
    facts,
    { ecosystem: 'pypi', name: normalizePythonName(written), line: name.line },
    text(version),
  );
}

function addRequirements(list: DataNode[], scope: Scope | undefined, facts: FactList): void {
  for (const item of list) addRequirement(text(item) ?? '', item.line, scope, facts);
}

/** Poetry and Pipfile: `name = "^1.0"` or `name = { version = "^1.0", optional = true }`. */
function addTable(table: DataNode | undefined, scope: Scope | undefined, facts: FactList): void {
  for (const [name, value] of entries(table)) {
    if (name.toLowerCase() === 'python') continue;
    const isOptional = at(value, 'optional')?.scalar === true;
    addDependency(facts, {
      ecosystem: 'pypi',
      name: normalizePythonName(name),
      version: text(value) ?? text(at(value, 'version')),
      scope: scope ?? (isOptional ? 'optional' : undefined),
      line: value.line,
    });
  }
}

export function readRequirements(path: string, source: string, facts: FactList): void {
  const scope = /dev|test|lint|docs?\b|ci\b/i.test(path.slice(path.lastIndexOf('/') + 1)) ? 'dev' : undefined;
  for (const [index, line] of source.split('\n').entries()) {
    if (!/^\s*[-#]/.test(line.slice(0, 40)))
      addRequirement(line.slice(0, 600).trim(), index + 1, scope, facts);
  }
}

/** Only the sections that name the package and its requirements. */
export function readSetupCfg(source: string, facts: FactList): void {
  let section = '';
  let key = '';
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 600).trimEnd();
    const header = /^\[([\w.:-]{1,100})\]/.exec(line);
    const pair = /^([\w.-]{1,100})\s{0,8}=\s{0,8}(.{0,500})$/.exec(line);
    if (header) {
      section = header[1]!;
      key = '';
    } else if (pair) {
      key = pair[1]!;
      if (section === 'metadata' && key === 'name') {
        addNamed({ line: index + 1, scalar: pair[2]!.trim() }, undefined, facts);
      }
      if (pair[2]) addSetupCfgValue(section, key, pair[2], index + 1, facts);
    } else if (/^\s+\S/.test(line)) addSetupCfgValue(section, key, line.trim(), index + 1, facts);
  }
}

function addSetupCfgValue(section: string, key: string, value: string, line: number, facts: FactList): void {
  if (section === 'options' && key === 'install_requires') addRequirement(value, line, undefined, facts);
  if (section === 'options' && key === 'tests_require') addRequirement(value, line, 'test', facts);
  if (section === 'options.extras_require' && key) addRequirement(value, line, 'optional', facts);
}

const SETUP_LIST = /\b(install_requires|tests_require|setup_requires)\s{0,8}=\s{0,8}\[/g;
const SETUP_SCOPES: Record<string, Scope> = { tests_require: 'test', setup_requires: 'build' };

/** Only literal names and lists: a setup.py can compute everything. */
export function readSetupPy(source: string, facts: FactList): void {
  const call = source.search(/\bsetup\s{0,4}\(/);
  if (call === -1) return;
  const named = /\bname\s{0,8}=\s{0,8}["']([\w.-]{1,150})["']/.exec(source.slice(call));
  if (named) {
    const line = lineAt(source, call + named.index);
    addNamed({ line, scalar: named[1]! }, undefined, facts);
  }
  for (const list of source.matchAll(SETUP_LIST)) {
    const start = list.index + list[0].length;
    const end = source.indexOf(']', start);
    if (end === -1 || end - start > 20_000) continue;
    for (const item of source.slice(start, end).matchAll(/["']([^"'\n]{1,300})["']/g)) {
      addRequirement(item[1]!, lineAt(source, start + item.index), SETUP_SCOPES[list[1]!], facts);
    }
  }
}

function lineAt(source: string, offset: number): number {
  let line = 1;
  for (let i = source.indexOf('\n'); i !== -1 && i < offset; i = source.indexOf('\n', i + 1)) line += 1;
  return line;
}
