/**
 * Checks structural rules in ast-grep's YAML format: one or more documents, each with an id, a language and a rule.
 * Reports every mistake with its line and column. Running the rules needs ast-grep; this needs only YAML.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml';
import { repeatedKeyAt } from '../../../platform/core/text/yaml-keys.ts';

export interface RuleProblem {
  /** Both count from 1. */
  line: number;
  column: number;
  message: string;
}

const MAX_PROBLEMS = 20;
const MAX_RULES = 100;
/** More than a person writes, and far less than the parser's stack allows. */
const MAX_DEPTH = 50;
export const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;

const LANGUAGES = new Set([
  ...['bash', 'c', 'cc', 'c++', 'cpp', 'cxx', 'cs', 'csharp', 'css', 'elixir', 'ex', 'go', 'golang'],
  ...['haskell', 'hs', 'hcl', 'html', 'java', 'javascript', 'js', 'jsx', 'json', 'kotlin', 'kt', 'lua'],
  ...['nix', 'php', 'py', 'python', 'rb', 'ruby', 'rs', 'rust', 'scala', 'sol', 'solidity', 'swift'],
  ...['ts', 'tsx', 'typescript', 'yaml', 'yml'],
]);
const SEVERITIES = ['hint', 'info', 'warning', 'error', 'off'];
const RELATIONS = ['inside', 'has', 'precedes', 'follows'];
const RULE_KEYS = [
  'pattern',
  'kind',
  'regex',
  'nthChild',
  'range',
  ...RELATIONS,
  'all',
  'any',
  'not',
  'matches',
];
const DOCUMENT_KEYS = [
  ...['id', 'language', 'rule', 'message', 'severity', 'note', 'fix', 'constraints', 'utils', 'transform'],
  ...['rewriters', 'labels', 'files', 'ignores', 'url', 'metadata'],
];

export function checkRules(source: string): RuleProblem[] {
  const depth = tooDeepAt(source);
  if (depth) return [{ ...depth, message: TOO_DEEP }];
  const counter = new LineCounter();
  const documents = parseAllDocuments(source, { lineCounter: counter, uniqueKeys: false });
  const check = new RuleCheck(counter);
  if (!Array.isArray(documents) || documents.length === 0) check.report(0, 'must contain at least one rule');
  else check.documents(documents);
  return check.problems;
}

class RuleCheck {
  readonly problems: RuleProblem[] = [];
  readonly #counter: LineCounter;
  readonly #ids = new Set<string>();

  constructor(counter: LineCounter) {
    this.#counter = counter;
  }

  report(at: number, message: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const { col, line } = this.#counter.linePos(at);
    this.problems.push({ line: Math.max(1, line), column: Math.max(1, col), message });
  }

  documents(documents: Document.Parsed[]): void {
    for (const document of documents) {
      const { contents, errors } = document;
      for (const error of errors) this.report(error.pos[0], sentenceOf(error.message));
      if (errors.length > 0) continue;
      const repeated = repeatedKeyAt(document);
      if (repeated === undefined) this.#document(contents);
      else this.report(repeated, 'Map keys must be unique');
    }
    if (documents.length > MAX_RULES) this.report(0, `must contain at most ${MAX_RULES} rules`);
  }

  #document(contents: ParsedNode | null): void {
    if (!isMap(contents)) {
      this.report(contents?.range[0] ?? 0, 'must be a rule with `id`, `language` and `rule`');
      return;
    }
    const fields = this.#fields(contents, DOCUMENT_KEYS);
    const id = this.#text(fields, contents, 'id');
    if (id !== undefined) {
      if (this.#ids.has(id)) this.report(startOf(fields.get('id')!), `the id ${id} is used twice`);
      this.#ids.add(id);
    }
    const language = this.#text(fields, contents, 'language');
    if (language !== undefined && !LANGUAGES.has(language.toLowerCase()))
      this.report(startOf(fields.get('language')!), `${language} is not a language of ast-grep`);
    const severity = fields.get('severity');
    if (severity && !(isScalar(severity) && SEVERITIES.includes(String(severity.value))))
      this.report(startOf(severity), `must be one of ${SEVERITIES.join(', ')}`);
    const rule = fields.get('rule');
    if (rule) this.#rule(rule);
    else this.report(startOf(contents), '`rule` is missing');
    this.#rulesByName(fields.get('constraints'));
    this.#rulesByName(fields.get('utils'));
  }

  #rulesByName(node: Node | undefined): void {
    if (!node) return;
    if (!isMap(node)) this.report(startOf(node), 'must contain rules by name');
    else for (const { value } of node.items) if (value) this.#rule(value as Node);
  }

  #rule(node: Node, isRelation = false): void {
    if (!isMap(node)) {
      this.report(startOf(node), 'must be a rule, such as `pattern: console.log($A)`');
      return;
    }
    const fields = this.#fields(node, isRelation ? [...RULE_KEYS, 'stopBy', 'field'] : RULE_KEYS);
    if (!RULE_KEYS.some((key) => fields.has(key)))
      this.report(startOf(node), `must have one of ${RULE_KEYS.join(', ')}`);
    for (const key of ['kind', 'regex', 'matches', 'field']) {
      if (fields.has(key)) this.#text(fields, node, key);
    }
    const pattern = fields.get('pattern');
    if (pattern && !isMap(pattern)) this.#text(fields, node, 'pattern');
    if (isMap(pattern)) this.#fields(pattern, ['context', 'selector', 'strictness']);
    for (const key of RELATIONS) if (fields.has(key)) this.#rule(fields.get(key)!, true);
    if (fields.has('not')) this.#rule(fields.get('not')!);
    for (const key of ['all', 'any']) this.#rules(fields.get(key), key);
    const stopBy = fields.get('stopBy');
    if (isMap(stopBy)) this.#rule(stopBy);
    else if (stopBy && !(isScalar(stopBy) && ['neighbor', 'end'].includes(String(stopBy.value))))
      this.report(startOf(stopBy), '`stopBy` must be neighbor, end or a rule');
  }

  #rules(node: Node | undefined, key: string): void {
    if (!node) return;
    if (!isSeq(node) || node.items.length === 0)
      this.report(startOf(node), `\`${key}\` must be a list of rules`);
    else for (const item of node.items) this.#rule(item as Node);
  }

  /** The values by key; unknown keys are reported. */
  #fields(node: YAMLMap, known: string[]): Map<string, Node> {
    const fields = new Map<string, Node>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (!known.includes(name)) this.report(startOf(key as Node), `${name || 'this'} is not a known key`);
      else if (isAlias(value)) this.report(startOf(value), 'aliases can’t be used in rules');
      else if (value === null || (isScalar(value) && value.value === null))
        this.report(startOf(key as Node), `\`${name}\` has no value`);
      else fields.set(name, value as Node);
    }
    return fields;
  }

  #text(fields: Map<string, Node>, parent: Node, key: string): string | undefined {
    const node = fields.get(key);
    if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
    if (node) this.report(startOf(node), `\`${key}\` must be text`);
    else this.report(startOf(parent), `\`${key}\` is missing`);
    return undefined;
  }
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The parser adds the place and an excerpt to its messages. */
function sentenceOf(message: string): string {
  return message.replace(/ at line \d+, column \d+:[\s\S]*$/, '');
}

/** Where brackets or indentation go deeper than the limit: the parser is recursive. */
export function tooDeepAt(source: string): { line: number; column: number } | undefined {
  let open = 0;
  for (const [index, line] of source.split('\n').entries()) {
    // Each level needs columns of its own: spaces, or a dash and a space.
    const indentation = /^[ ?:-]*/.exec(line)![0].length;
    if (indentation > MAX_DEPTH * 4) return { line: index + 1, column: indentation };
    for (let column = 0; column < line.length; column += 1) {
      if (line[column] === '[' || line[column] === '{') open += 1;
      if (line[column] === ']' || line[column] === '}') open = Math.max(0, open - 1);
      if (open > MAX_DEPTH) return { line: index + 1, column: column + 1 };
    }
  }
  return undefined;
}
