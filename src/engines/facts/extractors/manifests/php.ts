/** PHP: composer.json. */
import { at, entries, items, text } from '../data/data-node.ts';
import { readJson } from '../data/read-json.ts';
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage } from './dependencies.ts';

export function readComposer(source: string, facts: FactList): void {
  const root = readJson(source);
  const nameNode = at(root, 'name');
  const name = text(nameNode);
  if (nameNode && name) {
    const version = text(at(root, 'version'));
    addPackage(facts, { ecosystem: 'composer', name: name.toLowerCase(), line: nameNode.line }, version);
  }
  for (const field of ['require', 'require-dev']) {
    for (const [dependency, version] of entries(at(root, field))) {
      // PHP itself and its extensions have no slash.
      if (!dependency.includes('/')) continue;
      addDependency(facts, {
        ecosystem: 'composer',
        name: dependency.toLowerCase(),
        version: text(version),
        scope: field === 'require-dev' ? 'dev' : undefined,
        line: version.line,
      });
    }
  }
  for (const repository of items(at(root, 'repositories'))) {
    const url = at(repository, 'url');
    const folder = text(url);
    if (!url || !folder || text(at(repository, 'type')) !== 'path') continue;
    facts.add({ kind: 'workspace', role: 'provides', name: folder, line: url.line, detail: 'composer' });
  }
}
