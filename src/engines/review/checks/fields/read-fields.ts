/** The fields that a file declares for messages, types of an API and records: protobuf, GraphQL, OpenAPI, and types in code. */
import type { FileSymbols } from '../../../../platform/core/ports/code-facts.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import type { Side } from '../../contract/code-review.ts';
import { readMessages } from '../protobuf-fields.ts';

export interface DeclaredField {
  name: string;
  /** The last part of the type that has it. */
  owner: string;
  /** From 1. */
  line: number;
}

const MAX_LINES = 50_000;
const TYPED = new Set(['go', 'typescript', 'python', 'java', 'kotlin', 'csharp', 'rust']);
const GRAPHQL_TYPE = /^\s*(?:extend\s+)?(type|input|interface)\s+(\w+)/;
const ROOT = /^(Query|Mutation|Subscription)$/;
const TYPE_LITERAL = /^(?:export\s+)?(?:declare\s+)?type\s+(\w+)(?:<[^=]*>)?\s*=.*\{\s*$/;
const TS_FIELD = /^\s+(?:readonly\s+)?["']?(\w+)["']?\??\s*:\s*\S/;
const GO_TAG = /`[^`]*\b(?:json|form|query):"([\w-]+)/;

export const DATA_CONTRACT = /\.(ya?ml|json)$/i;

/** None for files that declare none, and where they can't be read. */
export async function readFields(code: ReviewCode, side: Side, path: string): Promise<DeclaredField[]> {
  const text = await code.read(side, path);
  if (text === null) return [];
  if (path.endsWith('.proto'))
    return readMessages(text).fields.map(({ line, message, name }) => ({
      ...{ name, line },
      owner: message.split('.').at(-1)!,
    }));
  if (/\.(graphqls?|gql)$/i.test(path)) return graphqlFields(text);
  if (DATA_CONTRACT.test(path)) return /\bproperties["']?:/.test(text) ? schemaFields(text) : [];
  const symbols = await code.symbols(side, path);
  return symbols ? codeFields(symbols, text) : [];
}

function codeFields({ isGenerated, language, symbols }: FileSymbols, text: string): DeclaredField[] {
  if (isGenerated || language === null || !TYPED.has(language)) return [];
  const lines = text.split('\n');
  const fields = symbols.flatMap(({ container, kind, line, name }): DeclaredField[] => {
    if (kind !== 'field' || container === undefined) return [];
    const owner = container.split('.').at(-1)!;
    if (language !== 'go') return [{ name, owner, line }];
    // Without a name in JSON, a field is a matter of the program alone, whose compiler knows all uses.
    const tag = GO_TAG.exec(lines[line - 1] ?? '')?.[1];
    return tag === undefined || tag === '-' ? [] : [{ name: tag, owner, line }];
  });
  return language === 'typescript' ? [...fields, ...literalFields(lines)] : fields;
}

/** `type Order = {`, to the brace at the start of a line. */
function literalFields(lines: string[]): DeclaredField[] {
  const fields: DeclaredField[] = [];
  let owner: string | undefined;
  for (const [index, line] of lines.slice(0, MAX_LINES).entries()) {
    owner = TYPE_LITERAL.exec(line)?.[1] ?? (/^\}/.test(line) ? undefined : owner);
    const name = owner && TS_FIELD.exec(line)?.[1];
    if (owner && name) fields.push({ name, owner, line: index + 1 });
  }
  return fields;
}

export function graphqlFields(text: string): DeclaredField[] {
  const fields: DeclaredField[] = [];
  let owner: string | undefined;
  for (const [index, line] of text.split('\n').slice(0, MAX_LINES).entries()) {
    const started = GRAPHQL_TYPE.exec(line)?.[2];
    if (started) owner = started;
    const name = started ? undefined : /^\s+(\w+)\s*(?:\([^)]*\))?\s*:/.exec(line)?.[1];
    if (owner && name && !ROOT.test(owner)) fields.push({ name, owner, line: index + 1 });
    if (/^\s*\}/.test(line)) owner = undefined;
  }
  return fields;
}

/** The keys below `properties`, by their indentation; the owner is the key around it. */
export function schemaFields(text: string): DeclaredField[] {
  const fields: DeclaredField[] = [];
  const open: { indent: number; key: string }[] = [];
  for (const [index, line] of text.split('\n').slice(0, MAX_LINES).entries()) {
    const [, spaces, key] = /^(\s*)(?:- )?["']?([\w$.-]+)["']?\s*:/.exec(line) ?? [];
    if (spaces === undefined || key === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= spaces.length) open.pop();
    const owner = open.at(-2)?.key;
    if (open.at(-1)?.key === 'properties' && owner !== undefined && owner !== 'properties')
      fields.push({ name: key, owner: owner.split('.').at(-1)!, line: index + 1 });
    open.push({ indent: spaces.length, key });
  }
  return fields;
}
