/** Environment variables: code that reads them uses them, deployment files that set them provide them. */
import type { Extractor, FileSource } from '../extractor.ts';
import { isTestPath } from '../path-kinds.ts';
import { at, type DataNode, entries, items, text } from './data/data-node.ts';
import { readYaml } from './data/read-yaml.ts';
import { FactList } from './fact-list.ts';
import { fileName } from './file-name.ts';
import { isCompose, isWorkflow } from './yaml-files.ts';

const NAME = '([A-Z][A-Z0-9_]{1,80})';
const quoted = `["'\`]${NAME}["'\`]`;

/** Patterns that read a variable in each language, with the word that the text must contain. */
const READS: Record<string, [string, RegExp][]> = {
  javascript: [
    ['process', new RegExp(`\\bprocess\\.env(?:\\.${NAME}\\b|\\[${quoted}\\])`, 'g')],
    ['import.meta.env', new RegExp(`\\bimport\\.meta\\.env\\.${NAME}\\b`, 'g')],
    ['Deno.env', new RegExp(`\\bDeno\\.env\\.get\\(${quoted}`, 'g')],
    ['Bun.env', new RegExp(`\\bBun\\.env\\.${NAME}\\b`, 'g')],
  ],
  python: [
    [
      'environ',
      new RegExp(`\\benviron(?:\\[${quoted}\\]|\\.(?:get|pop|setdefault)\\(\\s{0,20}${quoted})`, 'g'),
    ],
    ['getenv', new RegExp(`\\bgetenv\\(\\s{0,20}${quoted}`, 'g')],
    [
      'env',
      new RegExp(`\\benv(?:\\.(?:str|bool|int|list|dict|float|json|url|db))?\\(\\s{0,20}${quoted}`, 'g'),
    ],
  ],
  go: [['env', new RegExp(`\\bos\\.(?:Getenv|LookupEnv)\\(${quoted}`, 'g')]],
  java: [
    ['getenv', new RegExp(`\\bSystem\\.getenv\\(${quoted}`, 'g')],
    // Spring: other properties are written with dots.
    ['@Value', /@Value\(\s{0,4}"[^"\n]{0,200}?\$\{([A-Z][A-Z0-9_]{1,80})[:}]/g],
  ],
  csharp: [['EnvironmentVariable', new RegExp(`\\bEnvironment\\.GetEnvironmentVariable\\(${quoted}`, 'g')]],
  ruby: [['ENV', new RegExp(`\\bENV(?:\\[${quoted}\\]|\\.(?:fetch|key\\?)\\(${quoted})`, 'g')]],
  php: [
    ['env', new RegExp(`\\b(?:env|getenv)\\(\\s{0,20}${quoted}`, 'g')],
    ['$_ENV', new RegExp(`\\$_(?:ENV|SERVER)\\[${quoted}\\]`, 'g')],
  ],
  rust: [['env', new RegExp(`\\benv(?:::(?:var|var_os)|!|_var)?\\(${quoted}`, 'g')]],
};
READS.typescript = READS.javascript!;
READS.kotlin = READS.java!;
READS.scala = READS.java!;

const ENV_FILE =
  /^(?:\.env(?:\.[\w.-]{1,60})?|[\w-]{1,60}\.env(?:\.(?:example|sample|template|dist))?|env\.(?:example|sample|template))$/;
const DOCKERFILE = /^(?:Dockerfile|Containerfile)(?:\.[\w.-]{1,80})?$|\.[Dd]ockerfile$/;
const MAX_VARIABLES = 300;
/** Set by the platform and read everywhere: they connect nothing. */
const COMMON = new Set([
  'NODE_ENV',
  'PATH',
  'HOME',
  'USER',
  'PWD',
  'SHELL',
  'LANG',
  'TERM',
  'CI',
  'TZ',
  'DEBUG',
  'SERVER_NAME',
]);
/** Variables of a request, not of the environment. */
const REQUEST = /^(?:HTTP|REQUEST|REMOTE|SERVER|QUERY|SCRIPT|DOCUMENT|PATH|CONTENT|GATEWAY|PHP)_/;

/** `process.env.X = 'y'` sets it for others. */
const ASSIGNMENT = /^\s{0,8}=(?![=~>])/;

export const environment: Extractor = {
  name: 'environment',
  accepts(path, language) {
    if (isTestPath(path)) return false;
    const name = fileName(path);
    return (
      (language !== null && (language in READS || language === 'yaml')) ||
      ENV_FILE.test(name) ||
      DOCKERFILE.test(name)
    );
  },
  extract(file) {
    const facts = new FactList(MAX_VARIABLES);
    const name = fileName(file.path);
    if (ENV_FILE.test(name)) readEnvFile(file.text, facts);
    else if (DOCKERFILE.test(name)) readDockerfile(file.text, facts);
    else if (file.language === 'yaml') readDeployment(file, facts);
    else readCodeFile(file, facts);
    return facts.facts;
  },
};

function add(facts: FactList, role: 'provides' | 'uses', name: string, line: number, detail?: string): void {
  if (!COMMON.has(name) && !name.startsWith('CARGO_'))
    facts.add({ kind: 'environment', role, name, line, detail });
}

/** Places are found on single lines, so long ones only cost their first part. */
function readCodeFile(file: FileSource, facts: FactList): void {
  const patterns = READS[file.language!]!.filter(([word]) => file.text.includes(word));
  if (patterns.length === 0) return;
  for (const [index, raw] of file.text.split('\n').entries()) {
    const line = raw.slice(0, 2000);
    if (/^\s{0,80}(?:\/\/|#|\*)/.test(line)) continue;
    for (const [word, pattern] of patterns) {
      if (!line.includes(word)) continue;
      for (const match of line.matchAll(pattern)) {
        const name = match.slice(1).find(Boolean)!;
        if (file.language === 'php' && REQUEST.test(name)) continue;
        if (ASSIGNMENT.test(line.slice(match.index + match[0].length))) continue;
        add(facts, 'uses', name, index + 1);
      }
    }
    if (facts.isFull) return;
  }
}

function readEnvFile(source: string, facts: FactList): void {
  for (const [index, line] of source.split('\n').entries()) {
    const match = /^(?:#\s{0,2})?(?:export\s{1,4})?([A-Z][A-Z0-9_]{1,80})=/.exec(line.slice(0, 300));
    if (match) add(facts, 'provides', match[1]!, index + 1, 'env file');
  }
}

function readDockerfile(source: string, facts: FactList): void {
  let isEnv = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 2000);
    const start = /^\s{0,20}ENV\s{1,8}(.{1,1900})$/i.exec(line);
    if (start) isEnv = true;
    if (!isEnv) continue;
    const rest = start?.[1] ?? line;
    const pairs = [...rest.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]{1,80})=/g)];
    const plain = start && pairs.length === 0 ? /^([A-Z][A-Z0-9_]{1,80})\s/.exec(rest)?.[1] : undefined;
    for (const name of plain ? [plain] : pairs.map(([, one]) => one!))
      add(facts, 'provides', name, index + 1, 'dockerfile');
    isEnv = line.trimEnd().endsWith('\\');
  }
}

function readDeployment(file: FileSource, facts: FactList): void {
  const { path } = file;
  const isKubernetes =
    /^apiVersion:/m.test(file.text) && /^\s*-\s{1,4}name:\s{1,4}["']?[A-Z]/m.test(file.text);
  const isValues = /(?:^|\/)values[\w.-]{0,60}\.ya?ml$/.test(path);
  if (!isCompose(path, file.text) && !isWorkflow(path) && !isKubernetes && !isValues) return;
  for (const root of readYaml(file.text)) {
    if (isWorkflow(path)) readEnvironments(root, new Set(['env', 'variables']), 'ci', facts);
    else if (isCompose(path, file.text)) {
      for (const [service, node] of entries(at(root, 'services')))
        addSettings(at(node, 'environment'), `service ${service}`, facts);
    } else readEnvironments(root, new Set(['env', 'extraEnv', 'environment']), kindOf(root), facts);
  }
}

function kindOf(root: DataNode): string {
  const kind = text(at(root, 'kind'));
  const name = text(at(root, 'metadata', 'name'));
  return kind ? [kind, name].filter(Boolean).join(' ') : 'helm values';
}

/** Wherever a key such as `env` is, without going deeper than the reader does. */
function readEnvironments(root: DataNode, keys: Set<string>, detail: string, facts: FactList): void {
  const queue = [root];
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const [key, value] of entries(node)) {
      if (keys.has(key)) addSettings(value, detail, facts);
      else queue.push(value);
    }
    queue.push(...(node.items ?? []));
  }
}

/** A map, a list of `NAME=value`, or a list of `{ name, value }`. */
function addSettings(node: DataNode | undefined, detail: string, facts: FactList): void {
  const isName = (name: string | undefined): name is string =>
    name !== undefined && /^[A-Z][A-Z0-9_]{1,80}$/.test(name);
  for (const [key, value] of entries(node)) if (isName(key)) add(facts, 'provides', key, value.line, detail);
  for (const item of items(node)) {
    const written = text(item)?.split('=')[0] ?? text(at(item, 'name'));
    if (isName(written)) add(facts, 'provides', written, at(item, 'name')?.line ?? item.line, detail);
  }
}
