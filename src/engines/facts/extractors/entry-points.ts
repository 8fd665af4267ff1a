/** Programs that can be started: binaries, main functions, start scripts and container commands. */
import type { Extractor, FileSource } from '../extractor.ts';
import { isTestPath } from '../path-kinds.ts';
import { at, entries, items, text } from './data/data-node.ts';
import { readJson } from './data/read-json.ts';
import { readToml } from './data/read-toml.ts';
import { FactList } from './fact-list.ts';
import { fileName } from './file-name.ts';

const DOCKERFILE = /^(?:Dockerfile|Containerfile)(?:\.[\w.-]{1,80})?$|\.[Dd]ockerfile$/;

type Read = (file: FileSource, facts: FactList) => void;

const FILES: [RegExp, Read][] = [
  [/^package\.json$/, readPackageJson],
  [/^pyproject\.toml$/, readPyproject],
  [/^setup\.cfg$/, readSetupCfg],
  [/^Cargo\.toml$/, readCargo],
  [/^Procfile(?:\.\w{1,40})?$/, readProcfile],
  [DOCKERFILE, readDockerfile],
];

const MAINS: Record<string, { word: string; line: RegExp; name: string }> = {
  python: { word: '__main__', line: /^if\s{1,4}__name__\s{0,4}==\s{0,4}["']__main__["']/, name: '__main__' },
  java: {
    word: 'void main',
    line: /^\s{0,40}public\s{1,4}static\s{1,4}(?:final\s{1,4})?void\s{1,4}main\s{0,4}\(/,
    name: 'main',
  },
  kotlin: { word: 'fun main', line: /^(?:suspend\s{1,4})?fun\s{1,4}main\s{0,4}\(/, name: 'main' },
  csharp: {
    word: 'Main',
    line: /^\s{0,40}(?:(?:public|private|internal)\s{1,4})?static\s{1,4}(?:async\s{1,4})?(?:void|int|Task(?:<int>)?)\s{1,4}Main\s{0,4}\(/,
    name: 'Main',
  },
  rust: { word: 'fn main', line: /^(?:pub\s{1,4})?(?:async\s{1,4})?fn\s{1,4}main\s{0,4}\(/, name: 'main' },
};

export const entryPoints: Extractor = {
  name: 'entry points',
  accepts(path, language) {
    // Cargo runs build.rs while it compiles.
    if (isTestPath(path) || fileName(path) === 'build.rs') return false;
    return (
      language === 'go' ||
      (language !== null && language in MAINS) ||
      FILES.some(([name]) => name.test(fileName(path)))
    );
  },
  extract(file) {
    const facts = new FactList(100);
    const read = FILES.find(([name]) => name.test(fileName(file.path)))?.[1];
    if (read) read(file, facts);
    else readMain(file, facts);
    return facts.facts;
  },
};

function add(facts: FactList, name: string, line: number, detail?: string): void {
  facts.add({ kind: 'entry_point', role: 'provides', name, line, detail });
}

function readMain(file: FileSource, facts: FactList): void {
  if (file.language === 'go') {
    if (!/^package main\b/m.test(file.text.slice(0, 20_000))) return;
    const line = lineOf(file.text, /^func main\(\)/);
    if (line) add(facts, 'main', line, 'go');
    return;
  }
  const rule = MAINS[file.language ?? ''];
  if (!rule || !file.text.includes(rule.word)) return;
  const line = lineOf(file.text, rule.line);
  if (line) add(facts, rule.name, line, file.language!);
}

function lineOf(source: string, pattern: RegExp): number | null {
  const index = source.split('\n').findIndex((line) => pattern.test(line.slice(0, 300)));
  return index === -1 ? null : index + 1;
}

function readPackageJson(file: FileSource, facts: FactList): void {
  const root = readJson(file.text);
  const bin = at(root, 'bin');
  const single = text(bin);
  const name = text(at(root, 'name'))?.replace(/^@[^/]*\//, '');
  if (bin && single && name) add(facts, name, bin.line, single);
  for (const [command, path] of entries(bin)) add(facts, command, path.line, text(path));
  const start = at(root, 'scripts', 'start');
  if (start && text(start)) add(facts, 'npm start', start.line, text(start));
}

function readPyproject(file: FileSource, facts: FactList): void {
  const root = readToml(file.text);
  for (const table of [
    at(root, 'project', 'scripts'),
    at(root, 'project', 'gui-scripts'),
    at(root, 'tool', 'poetry', 'scripts'),
  ]) {
    for (const [name, target] of entries(table)) add(facts, name, target.line, text(target));
  }
}

function readSetupCfg(file: FileSource, facts: FactList): void {
  let isScripts = false;
  for (const [index, raw] of file.text.split('\n').entries()) {
    const line = raw.slice(0, 400);
    if (/^\S/.test(line)) isScripts = /^(?:console|gui)_scripts\s{0,8}=/.test(line);
    const match = isScripts && /^\s{1,40}([\w.-]{1,100})\s{0,8}=\s{0,8}([\w.:]{1,200})/.exec(line);
    if (match) add(facts, match[1]!, index + 1, match[2]);
  }
}

function readCargo(file: FileSource, facts: FactList): void {
  for (const binary of items(at(readToml(file.text), 'bin'))) {
    const name = at(binary, 'name');
    if (name && text(name)) add(facts, text(name)!, name.line, text(at(binary, 'path')));
  }
}

function readProcfile(file: FileSource, facts: FactList): void {
  for (const [index, line] of file.text.split('\n').entries()) {
    const match = /^([\w-]{1,60}):\s{0,8}(.{1,300})/.exec(line.slice(0, 400));
    if (match) add(facts, match[1]!, index + 1, match[2]);
  }
}

/** Only the last one of each counts in a container. */
function readDockerfile(file: FileSource, facts: FactList): void {
  const last = new Map<string, { line: number; detail: string }>();
  for (const [index, raw] of file.text.split('\n').entries()) {
    const match = /^\s{0,20}(ENTRYPOINT|CMD)\s{1,8}(.{1,300})/i.exec(raw.slice(0, 400));
    if (match) last.set(match[1]!.toUpperCase(), { line: index + 1, detail: match[2]! });
  }
  for (const [name, { detail, line }] of last) add(facts, `docker ${name}`, line, detail);
}
