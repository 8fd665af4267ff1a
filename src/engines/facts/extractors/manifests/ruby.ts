/** Ruby: Gemfile and gemspec. */
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage, type Scope } from './dependencies.ts';

const GEM =
  /^\s{0,40}gem[\s(]{1,8}["']([\w.-]{1,150})["'](?:\s{0,8},\s{0,8}["']([^"'\n]{1,80})["'])?(.{0,400})/;
const GROUP = /^(\s{0,40})group[\s(]{1,8}(:\w{1,40}(?:\s{0,8},\s{0,8}:\w{1,40}){0,6})\)?\s{1,8}do\b/;

export function readGemfile(source: string, facts: FactList): void {
  let group: { indent: string; scope: Scope | undefined } | null = null;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 600);
    const opened = GROUP.exec(line);
    if (opened) group = { indent: opened[1]!, scope: scopeOf(opened[2]!) };
    else if (group && line.startsWith(`${group.indent}end`)) group = null;
    const match = GEM.exec(line);
    if (!match) continue;
    const [, name, version, rest] = match;
    const ownGroup = /groups?:\s{0,4}(\[?[:\w, ]{1,100})/.exec(rest!)?.[1];
    const scope = ownGroup ? scopeOf(ownGroup) : group?.scope;
    addDependency(facts, { ecosystem: 'gem', name: name!, version, scope, line: index + 1 });
  }
}

function scopeOf(groups: string): Scope | undefined {
  if (/production|default/.test(groups)) return undefined;
  if (/development/.test(groups)) return 'dev';
  return /test/.test(groups) ? 'test' : undefined;
}

const SPEC_NAME = /^\s{0,40}\w{1,20}\.name\s{0,20}=\s{0,8}["']([\w.-]{1,150})["']/;
const SPEC_DEPENDENCY =
  /^\s{0,40}\w{1,20}\.add_(runtime_|development_)?dependency[\s(]{1,8}["']([\w.-]{1,150})["'](?:\s{0,8},\s{0,8}["']([^"'\n]{1,80})["'])?/;

export function readGemspec(source: string, facts: FactList): void {
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 600);
    const name = SPEC_NAME.exec(line)?.[1];
    if (name) addPackage(facts, { ecosystem: 'gem', name, line: index + 1 });
    const match = SPEC_DEPENDENCY.exec(line);
    if (!match) continue;
    const scope = match[1] === 'development_' ? 'dev' : undefined;
    addDependency(facts, { ecosystem: 'gem', name: match[2]!, version: match[3], scope, line: index + 1 });
  }
}
