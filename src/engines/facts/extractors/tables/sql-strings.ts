/** Tables in the SQL of strings in code. */
import type { FileSource } from '../../extractor.ts';
import { readCode } from '../code/read-code.ts';
import { HOLE } from '../code/tokens.ts';
import type { AddTable } from './add-table.ts';
import { isSql, readSql } from './sql.ts';

const SQL_WORDS =
  /\b(?:select\s[^;]{1,300}?\sfrom|insert\s{1,8}into|update\s[^;]{1,200}?\sset|delete\s{1,8}from|create\s{1,8}table|alter\s{1,8}table)\b/i;

export function readSqlStrings(file: FileSource, add: AddTable): void {
  if (!SQL_WORDS.test(file.text)) return;
  for (const token of readCode(file).tokens) {
    if (token.kind !== 'string' || token.text.length < 12) continue;
    // An interpolated value in place of a name isn't a name.
    const sql = token.text.replaceAll(HOLE, '?');
    if (!isSql(sql)) continue;
    for (const { name, offset, role } of readSql(sql)) {
      const linesBefore = sql.slice(0, offset).match(/\n/g)?.length ?? 0;
      add(role, name, token.line + linesBefore, 'sql');
    }
  }
}
