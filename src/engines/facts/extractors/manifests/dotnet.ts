/** .NET: project files, Directory.Packages.props and solutions. */
import { child, childText, descendants, readXml } from '../data/read-xml.ts';
import type { FactList } from '../fact-list.ts';
import { fileName } from '../file-name.ts';
import { addDependency, addPackage } from './dependencies.ts';

/** NuGet ignores case. */
const normalize = (name: string) => name.toLowerCase();

export function readProject(path: string, source: string, facts: FactList): void {
  const roots = readXml(source);
  const project = roots.find((element) => element.name === 'Project');
  if (!project) return;
  const named =
    descendants(project.children, 'PackageId')[0] ?? descendants(project.children, 'AssemblyName')[0];
  const written = named && /^[\w.-]+$/.test(named.text) ? named.text : undefined;
  const name = written ?? fileName(path).replace(/\.\w{1,10}$/, '');
  const version = descendants(project.children, 'Version')[0]?.text;
  addPackage(
    facts,
    { ecosystem: 'nuget', name: normalize(name), line: named?.line ?? project.line },
    version,
  );
  for (const reference of descendants(project.children, 'PackageReference')) {
    const dependency = reference.attributes.get('include');
    if (!dependency) continue;
    const isBuild =
      /^all$/i.test(reference.attributes.get('privateassets') ?? '') || child(reference, 'PrivateAssets');
    addDependency(facts, {
      ecosystem: 'nuget',
      name: normalize(dependency),
      version: reference.attributes.get('version') ?? childText(reference, 'Version'),
      scope: isBuild ? 'build' : undefined,
      line: reference.line,
    });
  }
  for (const reference of descendants(project.children, 'ProjectReference')) {
    const target = reference.attributes.get('include')?.replaceAll('\\', '/');
    if (!target) continue;
    const dependency = fileName(target).replace(/\.\w{1,10}$/, '');
    addDependency(facts, {
      ecosystem: 'nuget',
      name: normalize(dependency),
      version: target,
      line: reference.line,
    });
  }
}

/** The versions of central package management: they are facts of the repository, not of one project. */
export function readPackagesProps(source: string, facts: FactList): void {
  for (const element of descendants(readXml(source), 'PackageVersion')) {
    const name = element.attributes.get('include');
    const version = element.attributes.get('version');
    if (name)
      addDependency(facts, { ecosystem: 'nuget', name: normalize(name), version, line: element.line });
  }
}

const SOLUTION_PROJECT = /^Project\("[^"]{1,80}"\)\s{0,4}=\s{0,4}"[^"]{1,200}",\s{0,4}"([^"]{1,300}proj)"/;

export function readSolution(source: string, facts: FactList): void {
  for (const [index, line] of source.split('\n').entries()) {
    const path = SOLUTION_PROJECT.exec(line.slice(0, 1000))?.[1]?.replaceAll('\\', '/');
    if (path)
      facts.add({ kind: 'workspace', role: 'provides', name: path, line: index + 1, detail: 'nuget' });
  }
}
