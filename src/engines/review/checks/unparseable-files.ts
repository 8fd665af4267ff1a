/** JSON, YAML and TOML files that no longer parse, or were added broken, and YAML that loses the value of a key. */
import { parse as parseToml, TomlError } from 'smol-toml';
import { LineCounter, parseAllDocuments } from 'yaml';
import { lostKey } from '../../../platform/core/text/yaml-keys.ts';
import type { Check, Found } from '../check.ts';
import { addedLines, type ReviewedFile } from '../code/read-change.ts';

/** Their programs accept comments and trailing commas. */
const LENIENT_JSON =
  /\.jsonc$|\.json5$|(^|\/)(ts|js)config[^/]*\.json$|(^|\/)\.?(eslintrc|babelrc|swcrc|jshintrc|hintrc|stylelintrc)(\.json)?$|(^|\/)\.?cspell\.json$|(^|\/)(\.vscode|\.devcontainer|\.zed)\/|(^|\/)(angular|nx|turbo|biome|deno|renovate|api-extractor[^/]*|tslint|devcontainer|appsettings[^/]*|launchSettings|global|wrangler|rush|bundlesize|typedoc|language-configuration)\.json$|\.(code-workspace|sublime-[a-z]+|avsc|libsonnet)$/i;
/** Files that a program fills in before they are read. */
const TEMPLATE = /\{\{|<%|\{%|\$\{\{\s*if|^[ \t]*#@|@@[A-Z_]+@@/m;
const MAX_CHARACTERS = 512 * 1024;

interface Mistake {
  line: number;
  message: string;
  /** A key of YAML that is there twice: many programs read the file all the same. */
  repeated?: { key: string; firstLine: number };
}
/** Longer ones, and ones with other characters, are not quoted. */
const PLAIN_KEY = /^[\w.\-/ ]{1,60}$/;

export const unparseableFiles: Check = {
  name: 'unparseable_file',
  reviewer: 'logic_errors',
  looksFor: 'JSON, YAML and TOML files that no longer parse, and YAML with two values for one key',
  async run(change, code) {
    const found: Found[] = [];
    for (const file of change.files) {
      const parse = parserOf(file);
      if (!parse || file.change === 'deleted') continue;
      const text = await code.read('head', file.path);
      if (text === null || text.length > MAX_CHARACTERS || TEMPLATE.test(text)) continue;
      const mistake = parse(text);
      if (!mistake) continue;
      const before = file.change === 'added' ? null : await code.read('base', file.oldPath ?? file.path);
      if (before !== null && (before.length > MAX_CHARACTERS || isNoWorse(mistake, parse(before)))) continue;
      found.push(...describe(file, mistake));
    }
    return found;
  },
};

function isNoWorse({ repeated }: Mistake, before: Mistake | undefined): boolean {
  return before !== undefined && (repeated !== undefined || before.repeated === undefined);
}

function parserOf(file: ReviewedFile): ((text: string) => Mistake | undefined) | undefined {
  const { fileClass, path } = file;
  if (fileClass === 'test' || fileClass === 'docs' || fileClass === 'vendored') return undefined;
  if (/\.json$/i.test(path) && !LENIENT_JSON.test(path)) return readJson;
  if (/\.ya?ml$/i.test(path) && !/(^|\/)templates?\//i.test(path)) return readYaml;
  if (/\.toml$/i.test(path)) return readToml;
  return undefined;
}

function readJson(text: string): Mistake | undefined {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return undefined;
  } catch (error) {
    const message = (error as Error).message;
    // Several values one after another, or comments: another format with the same ending.
    if (text.trim() === '' || /after JSON at position/.test(message) || /^[ \t]*(\/\/|\/\*)/m.test(text))
      return undefined;
    const position = /position (\d+)/.exec(message)?.[1];
    const quoted = /, (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message)?.[1];
    const around = quoted === undefined ? -1 : text.indexOf(quoted);
    const at = position === undefined ? (around === -1 ? text.length : around) : Number(position);
    return { line: text.slice(0, at).split('\n').length, message: withoutContent(message) };
  }
}

/** JSON.parse quotes the text around the mistake, which can be a part of a token. */
function withoutContent(message: string): string {
  return message.replace(/ \(line.*$/s, '').replace(/, (?:\.\.\.)?".*$/s, '');
}

function readYaml(text: string): Mistake | undefined {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, logLevel: 'silent', uniqueKeys: false });
  for (const document of Array.isArray(documents) ? documents : []) {
    const first = document.errors.find(({ code }) => code !== 'TAG_RESOLVE_FAILED');
    if (first) return { line: first.linePos?.[0].line ?? 1, message: first.message.split('\n')[0]! };
  }
  for (const document of Array.isArray(documents) ? documents : []) {
    const lost = lostKey(document, text);
    if (!lost) continue;
    const lineOf = (at: number) => lineCounter.linePos(at).line;
    const repeated = { key: lost.key, firstLine: lineOf(lost.firstAt) };
    return { line: lineOf(lost.at), message: 'Map keys must be unique', repeated };
  }
  return undefined;
}

function readToml(text: string): Mistake | undefined {
  try {
    parseToml(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { line: error.line, message: error.message.split('\n')[0]! };
  }
}

/** At the added line nearest to the mistake, which can be far below its cause. */
function describe(file: ReviewedFile, { line, message, repeated }: Mistake): Found[] {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const key = repeated && PLAIN_KEY.test(repeated.key) ? repeated.key : 'A key';
  const distance = ({ number }: { number: number }) => Math.abs(number - line);
  const nearest = addedLines(file)
    .filter(({ text }) => text.trim() !== '')
    .reduce<{ number: number; text: string } | undefined>(
      (best, each) => (!best || distance(each) < distance(best) ? each : best),
      undefined,
    );
  if (!nearest) return [];
  return [
    {
      claim: 'other',
      subject: file.path,
      title: repeated ? `${key} appears twice in ${name}` : `${name} does not parse`,
      scenario: repeated
        ? `Lines ${repeated.firstLine} and ${line} of ${file.path} give the same key two values. Ruby and Python keep the last one, so the first is lost; parsers for Go, Rust and JavaScript usually reject the file.`
        : `Every program that reads ${file.path} fails at line ${line}: ${message}`,
      file: file.path,
      side: 'head',
      line: nearest.number,
      quote: nearest.text,
      evidence: [],
    },
  ];
}
