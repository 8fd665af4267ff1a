/** The tables that SQL text creates, changes, reads and writes. */

export interface SqlTable {
  name: string;
  role: 'provides' | 'uses';
  /** Where it is in the text. */
  offset: number;
}

const PART = '(?:"[^"\\n]{1,100}"|`[^`\\n]{1,100}`|\\[[^\\]\\n]{1,100}\\]|[\\p{L}_][\\w$]{0,100})';
const NAME = `(${PART}(?:\\s{0,2}\\.\\s{0,2}${PART}){0,2})`;
const KEYWORDS = [
  'create\\s{1,20}(?:(?:global|local|temp|temporary|unlogged|foreign)\\s{1,20}){0,2}table(?:\\s{1,20}if\\s{1,20}not\\s{1,20}exists)?',
  'alter\\s{1,20}table(?:\\s{1,20}if\\s{1,20}exists)?(?:\\s{1,20}only)?',
  'insert\\s{1,20}(?:ignore\\s{1,20}|or\\s{1,20}\\w{1,10}\\s{1,20})?into',
  'delete\\s{1,20}from|update(?:\\s{1,20}only)?|from(?:\\s{1,20}only)?|join',
].join('|');
const STATEMENT = new RegExp(`\\b(${KEYWORDS})\\s{1,40}${NAME}(\\s{0,4}\\()?`, 'giu');
/** Names of common table expressions. */
const EXPRESSION =
  /(?:\bwith(?:\s{1,20}recursive)?|,)\s{1,40}("?\w{1,100}"?)\s{0,20}(?:\([^()]{0,400}\)\s{0,20})?as\s{1,20}(?:(?:not\s{1,20})?materialized\s{1,20})?\(/gi;
/** Words that follow the keywords without being tables. */
const NO_TABLE = new Set([
  ...[
    'select',
    'set',
    'dual',
    'lateral',
    'only',
    'values',
    'unnest',
    'stdin',
    'stdout',
    'new',
    'old',
    'excluded',
  ],
  ...[
    'cascade',
    'restrict',
    'no',
    'nowait',
    'skip',
    'of',
    'on',
    'where',
    'as',
    'the',
    'a',
    'an',
    'table',
    'if',
  ],
  ...[
    'current_date',
    'current_timestamp',
    'now',
    'inserted',
    'deleted',
    'sqlite_master',
    'sqlite_schema',
    'not',
  ],
  ...[
    'exists',
    'json_each',
    'low_priority',
    'high_priority',
    'delayed',
    'ignore',
    'your',
    'this',
    'each',
    'all',
    'any',
    'in',
    'to',
    'and',
    'or',
    'statement',
  ],
]);
const SYSTEM_SCHEMA = /^["`[]?(?:information_schema|pg_catalog|pg_\w+|sys)["`\]]?\s{0,2}(?:\.|$)/i;
const MAX_SQL_CHARACTERS = 1_000_000;

export function readSql(source: string): SqlTable[] {
  const sql = withoutComments(source.slice(0, MAX_SQL_CHARACTERS));
  const expressions = new Set([...sql.matchAll(EXPRESSION)].map(([, name]) => unquote(name!)));
  const tables: SqlTable[] = [];
  for (const match of sql.matchAll(STATEMENT)) {
    const keyword = match[1]!.toLowerCase();
    const name = tableName(match[2]!);
    if (!name || NO_TABLE.has(name) || expressions.has(name) || SYSTEM_SCHEMA.test(match[2]!)) continue;
    const isRead = /^(?:from|join)/.test(keyword);
    // A function, or the special syntax of functions such as EXTRACT(year FROM x).
    if (isRead && (match[3] || isFunctionSyntax(sql, match.index))) continue;
    if (keyword.startsWith('update') && !isUpdate(sql, match.index)) continue;
    if (/\btemp(?:orary)?\b/.test(keyword)) continue;
    tables.push({ name, role: /^(?:create|alter)/.test(keyword) ? 'provides' : 'uses', offset: match.index });
  }
  return tables;
}

/** Comments and values become spaces, so that places stay where they are. Names in quotes stay. */
function withoutComments(sql: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = next(sql, 0); at !== -1; at = next(sql, from)) {
    const end = endOfSkipped(sql, at);
    parts.push(sql.slice(from, at), sql.slice(at, end).replace(/[^\n]/g, ' '));
    from = end;
  }
  return parts.join('') + sql.slice(from);
}

const SKIPPED = /--|\/\*|'/g;

function next(sql: string, from: number): number {
  SKIPPED.lastIndex = from;
  return SKIPPED.exec(sql)?.index ?? -1;
}

/** A quote without an end on its line is an apostrophe. */
function endOfSkipped(sql: string, at: number): number {
  const lineEnd = sql.indexOf('\n', at);
  const line = lineEnd === -1 ? sql.length : lineEnd;
  if (sql[at] === '-') return line;
  if (sql[at] === '/') {
    const end = sql.indexOf('*/', at + 2);
    return end === -1 ? sql.length : end + 2;
  }
  const end = sql.indexOf("'", at + 1);
  return end === -1 || end > line ? at + 1 : end + 1;
}

const PARTS = new RegExp(PART, 'giu');

/** Lower case, without quotes and schema. */
function tableName(written: string): string | null {
  const last = written.match(PARTS)?.at(-1);
  return last ? unquote(last) : null;
}

function unquote(name: string): string {
  return name.replace(/["`[\]]/g, '').toLowerCase();
}

function isFunctionSyntax(sql: string, offset: number): boolean {
  const before = sql.slice(Math.max(0, offset - 120), offset);
  if (/\bdistinct\s{0,8}$/i.test(before)) return true;
  return /\b(?:extract|substring|trim|overlay|position)\s{0,4}\([^()]{0,100}$/i.test(before);
}

/** Not `FOR UPDATE`, `ON UPDATE`, `DO UPDATE`, or a privilege or trigger. */
function isUpdate(sql: string, offset: number): boolean {
  const before = sql.slice(Math.max(0, offset - 40), offset);
  if (/\b(?:for|key|on|do|grant|before|after|or|of|revoke)\s{1,20}$|,\s{0,8}$/i.test(before)) return false;
  return /^update\b[^;]{1,300}?\bset\b/i.test(sql.slice(offset, offset + 400));
}

const START =
  /^\s{0,400}(?:\/\*[^*]{0,200}\*\/\s{0,40})?(?:select|insert|update|delete|with|create\s{1,20}(?:unlogged\s{1,8})?table|alter\s{1,20}table)\b/i;

/** Whether a string in code is SQL. Sentences such as “Select a file from disk” are not. */
export function isSql(text: string): boolean {
  if (text.length < 12 || text.length > 20_000 || !START.test(text)) return false;
  const first = /[a-z]+/i.exec(text)![0];
  const hasShape =
    (/\bselect\b/i.test(text) && /\bfrom\s/i.test(text)) ||
    (/\binsert\s/i.test(text) && /\b(?:values|select|set|default)\b/i.test(text)) ||
    (/\bupdate\s/i.test(text) && /\sset\s/i.test(text)) ||
    /\bdelete\s{1,20}from\s/i.test(text) ||
    /^\s{0,400}(?:create|alter)\s/i.test(text);
  return hasShape && (first === first.toUpperCase() || /[=*]|\bcount\s{0,2}\(/.test(text));
}
