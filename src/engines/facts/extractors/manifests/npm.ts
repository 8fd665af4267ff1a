/** npm: package.json and pnpm-workspace.yaml. */
import { at, entries, items, text } from '../data/data-node.ts';
import { readJson } from '../data/read-json.ts';
import { readYaml } from '../data/read-yaml.ts';
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage, type Scope } from './dependencies.ts';

const DEPENDENCIES: [string, Scope | undefined][] = [
  ['dependencies', undefined],
  ['devDependencies', 'dev'],
  ['peerDependencies', 'peer'],
  ['optionalDependencies', 'optional'],
];

export function readPackageJson(source: string, facts: FactList): void {
  const root = readJson(source);
  const nameNode = at(root, 'name');
  const name = text(nameNode);
  if (nameNode && name) {
    addPackage(facts, { ecosystem: 'npm', name, line: nameNode.line }, text(at(root, 'version')));
  }
  for (const [field, scope] of DEPENDENCIES) {
    for (const [dependency, version] of entries(at(root, field))) {
      addDependency(facts, {
        ecosystem: 'npm',
        name: aliasTarget(text(version)) ?? dependency,
        version: text(version),
        scope,
        line: version.line,
      });
    }
  }
  const workspaces = at(root, 'workspaces');
  addWorkspaces(items(at(workspaces, 'packages') ?? workspaces), facts);
}

export function readPnpmWorkspace(source: string, facts: FactList): void {
  for (const root of readYaml(source)) addWorkspaces(items(at(root, 'packages')), facts);
}

function addWorkspaces(globs: ReturnType<typeof items>, facts: FactList): void {
  for (const glob of globs) {
    const name = text(glob);
    if (name) facts.add({ kind: 'workspace', role: 'provides', name, line: glob.line, detail: 'npm' });
  }
}

/** `npm:other@1.0.0` installs another package under this name. */
function aliasTarget(version: string | undefined): string | undefined {
  return version && /^npm:(@?[^@\s]{1,200})/.exec(version)?.[1];
}
