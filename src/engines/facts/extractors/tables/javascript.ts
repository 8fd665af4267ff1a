/** Tables of TypeORM, Drizzle, Sequelize, Knex and Kysely. */
import type { FileSource } from '../../extractor.ts';
import type { Call, Code } from '../code/read-code.ts';
import { option, stringList, stringValue } from '../code/values.ts';
import type { AddTable } from './add-table.ts';

const snakeCase = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
const KYSELY_QUERY = /^(?:selectFrom|insertInto|updateTable|deleteFrom)$/;
const SEQUELIZE_CHANGE = /^(?:createTable|addColumn|renameTable|removeColumn|changeColumn)$/;

export function readJavaScriptTables(file: FileSource, code: Code, add: AddTable): void {
  const modules = file.imports.map(({ module }) => module);
  const has = (pattern: RegExp) => modules.some((module) => pattern.test(module));
  const mappers = {
    isDrizzle: has(/^drizzle-orm/),
    isSequelize: has(/^sequelize/),
    isTypeorm: has(/^typeorm$/),
  };
  for (const call of code.calls) {
    readModel(code, call, mappers, add);
    readBuilder(code, call, add);
  }
}

interface Mappers {
  isDrizzle: boolean;
  isSequelize: boolean;
  isTypeorm: boolean;
}

function readModel(
  code: Code,
  call: Call,
  { isDrizzle, isSequelize, isTypeorm }: Mappers,
  add: AddTable,
): void {
  const name = call.chain.at(-1)!;
  const first = stringValue(code, call.args[0]);
  if (isDrizzle && first && /^(?:pg|mysql|sqlite)Table$/.test(name))
    add('provides', first, call.line, 'drizzle');
  if (isTypeorm && call.isAnnotation && name === 'Entity') {
    const owner = code.classes.find((one) => one.start > call.end);
    const explicit = stringValue(code, option(code, call, 'name') ?? call.args[0]);
    const table = explicit ?? (owner && call.args.length === 0 ? snakeCase(owner.name) : null);
    if (table) add('provides', table, call.line, 'typeorm');
  }
  const table = isSequelize ? stringValue(code, option(code, call, 'tableName')) : null;
  if (table) add('provides', table, call.line, 'sequelize');
}

function readBuilder(code: Code, call: Call, add: AddTable): void {
  const name = call.chain.at(-1)!;
  const receiver = call.chain.at(-2);
  const first = stringValue(code, call.args[0]);
  if (!first) return;
  if (receiver === 'queryInterface' && SEQUELIZE_CHANGE.test(name))
    add('provides', first, call.line, 'sequelize');
  if (receiver === 'schema' && /^(?:createTable|alterTable|table|createTableIfNotExists)$/.test(name)) {
    add('provides', first, call.line, 'schema builder');
  }
  if (KYSELY_QUERY.test(name) && call.args.length === 1) {
    for (const { line, value } of stringList(code, call.args[0])) add('uses', value, line, 'kysely');
  }
  if (name === 'knex' && call.chain.length === 1 && call.args.length === 1)
    add('uses', first, call.line, 'knex');
}
