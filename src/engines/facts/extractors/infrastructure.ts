/** Dockerfiles, Compose services, Kubernetes objects, Helm charts, Terraform resources and CI workflows. */
import type { Extractor, FileSource } from '../extractor.ts';
import { isTestPath } from '../path-kinds.ts';
import { at, entries, items, scalarText, text } from './data/data-node.ts';
import { readYaml } from './data/read-yaml.ts';
import { FactList } from './fact-list.ts';
import { fileName } from './file-name.ts';
import { isCompose, isWorkflow } from './yaml-files.ts';

const DOCKERFILE = /^(?:Dockerfile|Containerfile)(?:\.[\w.-]{1,80})?$|\.[Dd]ockerfile$/;
const MAX_OBJECTS = 200;

export const infrastructure: Extractor = {
  name: 'infrastructure',
  accepts(path, language) {
    if (isTestPath(path)) return false;
    return (
      DOCKERFILE.test(fileName(path)) ||
      language === 'yaml' ||
      /\.tf$/.test(path) ||
      fileName(path) === 'Jenkinsfile'
    );
  },
  extract(file) {
    const facts = new FactList(MAX_OBJECTS);
    if (DOCKERFILE.test(fileName(file.path))) readDockerfile(file.text, facts);
    else if (file.path.endsWith('.tf')) readTerraform(file.text, facts);
    else if (fileName(file.path) === 'Jenkinsfile') add(facts, 'ci:jenkins', 1);
    else readYamlFile(file, facts);
    return facts.facts;
  },
};

function add(facts: FactList, name: string, line: number, detail?: string): void {
  facts.add({ kind: 'infrastructure', role: 'provides', name, line, detail });
}

/** Each base image that is not another stage of the same file. */
function readDockerfile(source: string, facts: FactList): void {
  const stages = new Set<string>();
  for (const [index, raw] of source.split('\n').entries()) {
    const match =
      /^\s{0,20}FROM\s{1,8}(?:--\S{1,100}\s{1,8})?(\S{1,250})(?:\s{1,8}AS\s{1,8}(\S{1,100}))?/i.exec(
        raw.slice(0, 600),
      );
    if (!match) continue;
    if (!stages.has(match[1]!.toLowerCase()) && match[1] !== 'scratch' && !match[1]!.includes('{{'))
      add(facts, `docker:${match[1]}`, index + 1, 'base image');
    if (match[2]) stages.add(match[2].toLowerCase());
  }
}

function readTerraform(source: string, facts: FactList): void {
  for (const [index, line] of source.split('\n').entries()) {
    const match =
      /^(resource|module|data|provider)\s{1,8}"([\w-]{1,100})"(?:\s{1,8}"([\w-]{1,100})")?\s{0,8}\{/.exec(
        line.slice(0, 300),
      );
    if (!match || match[1] === 'data') continue;
    const name = [match[1] === 'resource' ? null : match[1], match[2], match[3]].filter(Boolean).join('.');
    add(facts, `terraform:${name}`, index + 1, match[1]);
  }
}

function readYamlFile(file: FileSource, facts: FactList): void {
  const { path } = file;
  const name = fileName(path);
  if (isWorkflow(path)) readWorkflow(file, facts);
  else if (isCompose(path, file.text)) readCompose(file.text, facts);
  else if (name === 'Chart.yaml') readChart(file.text, facts);
  else if (/^apiVersion:/m.test(file.text) && /^kind:/m.test(file.text)) readKubernetes(file.text, facts);
  else if (
    /^(?:azure-pipelines|cloudbuild|bitbucket-pipelines|\.travis|\.drone|appveyor|buildkite)\.ya?ml$/.test(
      name,
    )
  ) {
    add(facts, `ci:${name.replace(/^\.|\.ya?ml$/g, '')}`, 1);
  } else if (/(?:^|\/)\.circleci\/config\.ya?ml$/.test(path)) add(facts, 'ci:circleci', 1);
}

function readWorkflow(file: FileSource, facts: FactList): void {
  const [root] = readYaml(file.text);
  if (!root) return;
  if (fileName(file.path).startsWith('.gitlab-ci')) {
    const jobs = entries(root).filter(([, node]) => at(node, 'script'));
    for (const [job, node] of jobs) add(facts, `ci:${job}`, node.line, text(at(node, 'stage')));
    return;
  }
  const named = at(root, 'name');
  const jobs = entries(at(root, 'jobs')).map(([job]) => job);
  add(facts, `ci:${text(named) ?? fileName(file.path)}`, named?.line ?? 1, jobs.join(', '));
}

function readCompose(source: string, facts: FactList): void {
  for (const root of readYaml(source)) {
    for (const [service, node] of entries(at(root, 'services'))) {
      const build = at(node, 'build');
      const folder = text(build) ?? text(at(build, 'context'));
      add(
        facts,
        `compose:${service}`,
        node.line,
        text(at(node, 'image')) ?? (folder ? `built from ${folder}` : undefined),
      );
    }
  }
}

function readChart(source: string, facts: FactList): void {
  for (const root of readYaml(source)) {
    const name = at(root, 'name');
    if (name && text(name)) add(facts, `helm:${text(name)}`, name.line, text(at(root, 'description')));
    for (const dependency of items(at(root, 'dependencies'))) {
      const chart = at(dependency, 'name');
      if (!chart || !text(chart)) continue;
      const detail = scalarText(at(dependency, 'version'));
      facts.add({
        kind: 'infrastructure',
        role: 'uses',
        name: `helm:${text(chart)}`,
        line: chart.line,
        detail,
      });
    }
  }
}

const KIND = /^kind:\s{1,8}["']?(\w{1,80})/;
const METADATA_NAME = /^ {1,8}name:\s{1,8}["']?([\w.{}$ -]{1,200}?)["']?\s{0,8}(?:#.*)?$/;

/** By lines, since Helm templates aren't valid YAML: the kind, and the first name below `metadata`. */
function readKubernetes(source: string, facts: FactList): void {
  let kind: { text: string; line: number } | null = null;
  let isMetadata = false;
  let name: string | null = null;
  const flush = () => {
    if (kind) add(facts, `kubernetes:${kind.text}${name ? `/${name}` : ''}`, kind.line);
    kind = null;
    name = null;
  };
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 400).trimEnd();
    if (line === '---') flush();
    const found = KIND.exec(line);
    if (found) kind = { text: found[1]!, line: index + 1 };
    if (/^\S/.test(line) && !line.startsWith('#')) isMetadata = /^metadata:/.test(line);
    if (isMetadata && name === null) {
      const written = METADATA_NAME.exec(line)?.[1];
      if (written) name = written.includes('{{') || written.includes('$') ? '' : written;
    }
  }
  flush();
}
