/** Maven (pom.xml) and Gradle (build and settings scripts, as far as they are literal). */
import { child, childText, readXml, type XmlElement } from '../data/read-xml.ts';
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage, type Scope } from './dependencies.ts';

const MAVEN_SCOPES: Record<string, Scope> = { test: 'test', provided: 'build', system: 'build' };

export function readPom(source: string, facts: FactList): void {
  const project = readXml(source).find((element) => element.name === 'project');
  if (!project) return;
  const properties = new Map(child(project, 'properties')?.children.map((one) => [one.name, one.text]));
  const parent = child(project, 'parent');
  const group = childText(project, 'groupId') ?? childText(parent, 'groupId');
  const version = childText(project, 'version') ?? childText(parent, 'version');
  properties.set('project.groupId', group ?? '');
  properties.set('project.version', version ?? '');
  const artifact = child(project, 'artifactId');
  if (group && artifact?.text) {
    addPackage(
      facts,
      { ecosystem: 'maven', name: `${group}:${artifact.text}`, line: artifact.line },
      version,
    );
  }
  addMaven(parent, 'build', properties, facts);
  const profiles = child(project, 'profiles')?.children ?? [];
  for (const owner of [project, ...profiles]) {
    for (const one of child(owner, 'dependencies')?.children ?? [])
      addMaven(one, undefined, properties, facts);
    for (const module of child(owner, 'modules')?.children ?? []) {
      facts.add({
        kind: 'workspace',
        role: 'provides',
        name: module.text,
        line: module.line,
        detail: 'maven',
      });
    }
  }
}

function addMaven(
  element: XmlElement | undefined,
  otherwise: Scope | undefined,
  properties: Map<string, string>,
  facts: FactList,
): void {
  const resolve = (value = '') =>
    value.replace(/\$\{([\w.-]{1,100})\}/g, (whole, name: string) => properties.get(name) || whole);
  const artifact = child(element, 'artifactId');
  const group = resolve(childText(element, 'groupId'));
  if (!artifact?.text || !group) return;
  const isOptional = childText(element, 'optional') === 'true';
  addDependency(facts, {
    ecosystem: 'maven',
    name: `${group}:${resolve(artifact.text)}`,
    version: resolve(childText(element, 'version')),
    scope: MAVEN_SCOPES[childText(element, 'scope') ?? ''] ?? (isOptional ? 'optional' : otherwise),
    line: artifact.line,
  });
}

const CONFIGURATION =
  /^\s{0,80}(api|implementation|compileOnly|runtimeOnly|compile|kapt|ksp|annotationProcessor|testImplementation|testApi|testCompile|testRuntimeOnly|testCompileOnly|androidTestImplementation|debugImplementation|integrationTestImplementation)\b\s{0,8}\(?\s{0,8}(?:(?:platform|enforcedPlatform)\s{0,4}\(\s{0,4})?(.{0,400})/;
const COORDINATE = /^["']([\w.-]{1,150}):([\w.-]{1,150})(?::([^"':@\s]{1,100}))?[^"'\n]{0,100}["']/;
const NAMED_PARTS =
  /group\s{0,4}[:=]\s{0,4}["']([\w.-]{1,150})["']\s{0,4},\s{0,4}name\s{0,4}[:=]\s{0,4}["']([\w.-]{1,150})["'](?:\s{0,4},\s{0,4}version\s{0,4}[:=]\s{0,4}["']([\w.+-]{1,100})["'])?/;

export function readGradle(source: string, facts: FactList): void {
  for (const [index, raw] of source.split('\n').entries()) {
    const match = CONFIGURATION.exec(raw.slice(0, 600));
    if (!match) continue;
    const parts = COORDINATE.exec(match[2]!) ?? NAMED_PARTS.exec(match[2]!);
    if (!parts) continue;
    addDependency(facts, {
      ecosystem: 'maven',
      name: `${parts[1]}:${parts[2]}`,
      version: parts[3]?.includes('$') ? undefined : parts[3],
      scope: gradleScope(match[1]!),
      line: index + 1,
    });
  }
}

function gradleScope(configuration: string): Scope | undefined {
  if (/test/i.test(configuration)) return 'test';
  return /^(?:compileOnly|kapt|ksp|annotationProcessor)$/.test(configuration) ? 'build' : undefined;
}

export function readGradleSettings(source: string, facts: FactList): void {
  let isInclude = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 2000);
    isInclude = /^\s{0,40}include\b/.test(line) || (isInclude && /^\s{0,80}["']/.test(line));
    if (!isInclude) continue;
    for (const [, name] of line.matchAll(/["']:?([\w.:/-]{1,200})["']/g)) {
      const folder = name!.replaceAll(':', '/');
      facts.add({ kind: 'workspace', role: 'provides', name: folder, line: index + 1, detail: 'gradle' });
    }
  }
}
