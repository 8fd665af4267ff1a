/** Tables of models, schema builders and query builders in Python, Java, Go, C#, Ruby and PHP. */
import type { FileSource } from '../../extractor.ts';
import { importsOf } from '../code/bindings.ts';
import type { CodeClass } from '../code/classes.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { option, stringValue } from '../code/values.ts';
import type { AddTable } from './add-table.ts';
import { readJavaScriptTables } from './javascript.ts';

type ReadTables = (file: FileSource, code: Code, add: AddTable) => void;

const lastName = (call: Call) => call.chain.at(-1)!;
const hasImport = (file: FileSource, module: RegExp) =>
  importsOf(file).some((one) => module.test(one.module));

const MAPPERS: Record<string, { words: RegExp; read: ReadTables }> = {
  typescript: {
    words:
      /typeorm|drizzle-orm|sequelize|queryInterface|knex|schema\.|selectFrom|insertInto|updateTable|deleteFrom/i,
    read: readJavaScriptTables,
  },
  python: { words: /models\.Model|__tablename__|sqlalchemy|alembic|db_table/, read: readPython },
  java: { words: /@(?:Table|Entity)\b/, read: readJvm },
  go: { words: /TableName\(\)|gorm|xorm/, read: readGo },
  csharp: { words: /ToTable|CreateTable|\[Table\(/, read: readCSharp },
  ruby: { words: /create_table|add_column|table_name|add_reference|change_table/, read: readRuby },
  php: { words: /Schema::|\$table\b|DB::table/, read: readPhp },
};
MAPPERS.javascript = MAPPERS.typescript!;
MAPPERS.kotlin = MAPPERS.java!;

export function readMappers(file: FileSource, add: AddTable): void {
  const mapper = MAPPERS[file.language ?? ''];
  if (mapper?.words.test(file.text)) mapper.read(file, readCode(file), add);
}

function readPython(file: FileSource, code: Code, add: AddTable): void {
  const app = /(?:^|\/)([\w-]{1,100})\/models(?:\.py$|\/)/.exec(file.path)?.[1];
  const isDjango = hasImport(file, /^django\.(?:db|contrib)/);
  const isSqlAlchemy = hasImport(file, /^(?:sqlalchemy|flask_sqlalchemy|sqlmodel)/);
  for (const one of code.classes) {
    const table = assignedIn(code, one, '__tablename__') ?? assignedIn(code, one, 'db_table');
    if (table) add('provides', table.value, table.line, table.name === 'db_table' ? 'django' : 'sqlalchemy');
    else if (isDjango && app && isModel(one) && !isAbstract(code, one)) {
      add('provides', `${app}_${one.name}`, one.line, 'django');
    }
  }
  for (const call of code.calls) {
    const first = stringValue(code, call.args[0]);
    if (!first) continue;
    const isOperation = call.origin?.module.startsWith('alembic') && call.chain[0] === 'op';
    if (
      isOperation &&
      /^(?:create_table|add_column|drop_column|alter_column|batch_alter_table)$/.test(lastName(call))
    ) {
      add('provides', first, call.line, 'alembic');
    }
    if (isSqlAlchemy && lastName(call) === 'Table' && call.args.length > 1)
      add('provides', first, call.line, 'sqlalchemy');
  }
}

/** `models.Model` itself: the table of an inherited model is decided by its parent. */
function isModel({ heritage }: CodeClass): boolean {
  return heritage.some((name, index) => name === 'Model' && heritage[index - 1] === 'models');
}

/** Bodies of classes are searched no further than this. */
const MAX_BODY_TOKENS = 20_000;

function isAbstract(code: Code, { end, start }: CodeClass): boolean {
  for (let i = start; i < Math.min(end, start + MAX_BODY_TOKENS); i += 1) {
    if (/^(?:abstract|proxy)$/.test(code.tokens[i]!.text) && code.tokens[i + 2]?.text === 'True') return true;
  }
  return false;
}

function assignedIn(code: Code, { end, start }: CodeClass, name: string) {
  for (let i = start; i < Math.min(end, start + MAX_BODY_TOKENS); i += 1) {
    const value = code.tokens[i + 2];
    const isAssigned = code.tokens[i]!.text === name && code.tokens[i + 1]?.text === '=';
    if (isAssigned && value?.kind === 'string') return { name, value: value.text, line: value.line };
  }
  return null;
}

function readJvm(file: FileSource, code: Code, add: AddTable): void {
  if (!hasImport(file, /^(?:javax|jakarta)\.persistence|^org\.springframework\.data\.relational/)) return;
  const withTable = new Set<CodeClass>();
  const entities: { call: Call; owner: CodeClass }[] = [];
  for (const call of code.calls) {
    const owner = call.isOnClass ? code.classes.find((one) => one.start > call.end) : undefined;
    if (!owner) continue;
    if (lastName(call) === 'Entity' && call.args.length === 0) entities.push({ call, owner });
    if (lastName(call) !== 'Table') continue;
    withTable.add(owner);
    const named = option(code, call, 'name', 0) ?? option(code, call, 'value', 0) ?? call.args[0];
    const table = stringValue(code, named);
    if (table) add('provides', table, call.line, 'jpa');
  }
  for (const { call, owner } of entities) {
    // Naming strategies differ in names of several words.
    if (!withTable.has(owner) && /^[A-Z][a-z]+$/.test(owner.name))
      add('provides', owner.name, call.line, 'jpa');
  }
}

function readGo(file: FileSource, code: Code, add: AddTable): void {
  const { tokens } = code;
  for (let i = 0; i + 6 < tokens.length; i += 1) {
    // func (User) TableName() string { return "users" }
    if (
      tokens[i]!.text !== 'TableName' ||
      tokens[i + 3]!.text !== 'string' ||
      tokens[i + 5]!.text !== 'return'
    )
      continue;
    const value = stringValue(code, { start: i + 6, end: i + 7 });
    if (value) add('provides', value, tokens[i + 6]!.line, 'gorm');
  }
  if (!hasImport(file, /gorm\.io\/gorm|jinzhu\/gorm|xorm/)) return;
  for (const call of code.calls) {
    const first = stringValue(code, call.args[0]);
    if (lastName(call) === 'Table' && first && call.args.length === 1) add('uses', first, call.line, 'gorm');
  }
}

function readCSharp(_file: FileSource, code: Code, add: AddTable): void {
  for (const call of code.calls) {
    const name = lastName(call);
    const key = name === 'AddColumn' ? 'table' : 'name';
    const table = stringValue(code, option(code, call, key, 0) ?? call.args[0]);
    if (!table) continue;
    const isMigration = call.chain[0] === 'migrationBuilder' && /^(?:CreateTable|AddColumn)$/.test(name);
    const isMapping =
      (name === 'ToTable' && call.chain.length > 1) || (name === 'ToTable' && call.previous !== null);
    if (isMigration || isMapping || (name === 'Table' && call.isAnnotation)) {
      add('provides', table, call.line, 'entity framework');
    }
  }
}

const RAILS_OPERATIONS =
  /^(?:create_table|change_table|add_column|add_reference|remove_column|change_column|rename_table|add_belongs_to)$/;

function readRuby(_file: FileSource, code: Code, add: AddTable): void {
  for (const call of code.calls) {
    const range = call.args[0];
    if (!RAILS_OPERATIONS.test(lastName(call)) || !range) continue;
    const isSymbol = code.tokens[range.start]?.text === ':';
    const name = isSymbol ? code.tokens[range.start + 1]?.text : stringValue(code, range);
    if (name) add('provides', name, call.line, 'rails');
  }
  for (const one of code.classes) {
    const table = assignedIn(code, one, 'table_name');
    if (table) add('provides', table.value, table.line, 'rails');
  }
}

function readPhp(file: FileSource, code: Code, add: AddTable): void {
  for (const call of code.calls) {
    const first = stringValue(code, call.args[0]);
    const receiver = call.chain.at(-2);
    if (!first) continue;
    if (receiver === 'Schema' && /^(?:create|table)$/.test(lastName(call)))
      add('provides', first, call.line, 'laravel');
    if (receiver === 'DB' && lastName(call) === 'table') add('uses', first, call.line, 'laravel');
  }
  if (!/\bextends\s{1,8}(?:\w{0,60}Model|Pivot|Authenticatable)\b/.test(file.text)) return;
  for (const one of code.classes) {
    const table = assignedIn(code, one, '$table');
    if (table) add('provides', table.value, table.line, 'eloquent');
  }
}
