/** Rust: Cargo.toml. */
import { at, type DataNode, entries, items, text } from '../data/data-node.ts';
import { readToml } from '../data/read-toml.ts';
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage, type Scope } from './dependencies.ts';

const DEPENDENCIES: [string, Scope | undefined][] = [
  ['dependencies', undefined],
  ['dev-dependencies', 'dev'],
  ['build-dependencies', 'build'],
];

export function readCargo(source: string, facts: FactList): void {
  const root = readToml(source);
  const nameNode = at(root, 'package', 'name');
  const name = text(nameNode);
  if (nameNode && name) {
    const version = text(at(root, 'package', 'version'));
    addPackage(facts, { ecosystem: 'cargo', name, line: nameNode.line }, version);
  }
  const targets = entries(at(root, 'target')).map(([, target]) => target);
  for (const [field, scope] of DEPENDENCIES) {
    for (const table of [root, ...targets]) addTable(at(table, field), scope, facts);
  }
  addTable(at(root, 'workspace', 'dependencies'), undefined, facts);
  for (const member of items(at(root, 'workspace', 'members'))) {
    const glob = text(member);
    if (glob)
      facts.add({ kind: 'workspace', role: 'provides', name: glob, line: member.line, detail: 'cargo' });
  }
}

function addTable(table: DataNode | undefined, scope: Scope | undefined, facts: FactList): void {
  for (const [key, value] of entries(table)) {
    const isOptional = at(value, 'optional')?.scalar === true;
    addDependency(facts, {
      ecosystem: 'cargo',
      name: text(at(value, 'package')) ?? key,
      version: text(value) ?? text(at(value, 'version')),
      scope: scope ?? (isOptional ? 'optional' : undefined),
      line: value.line,
    });
  }
}
