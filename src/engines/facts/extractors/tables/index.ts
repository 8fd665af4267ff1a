/** Database tables: migrations and models provide them, queries use them. */
import type { Extractor } from '../../extractor.ts';
import { isTestPath } from '../../path-kinds.ts';
import { syntaxOf } from '../code/syntax.ts';
import { FactList } from '../fact-list.ts';
import { type AddTable, tableAdder } from './add-table.ts';
import { readMappers } from './mappers.ts';
import { readPrisma } from './prisma.ts';
import { readSql } from './sql.ts';
import { readSqlStrings } from './sql-strings.ts';

export const tables: Extractor = {
  name: 'tables',
  accepts: (path, language) =>
    !isTestPath(path) && (language === 'sql' || path.endsWith('.prisma') || syntaxOf(language) !== null),
  extract(file) {
    const facts = new FactList();
    const add = tableAdder(facts);
    if (file.language === 'sql') readSqlFile(file.text, add);
    else if (file.path.endsWith('.prisma')) readPrisma(file.text, add);
    else {
      readSqlStrings(file, add);
      readMappers(file, add);
    }
    return facts.facts;
  },
};

/** Tables come in the order of the text, so lines are counted once. */
function readSqlFile(source: string, add: AddTable): void {
  let line = 1;
  let from = 0;
  for (const { name, offset, role } of readSql(source)) {
    for (let end = source.indexOf('\n', from); end !== -1 && end < offset; end = source.indexOf('\n', from)) {
      line += 1;
      from = end + 1;
    }
    add(role, name, line, 'sql');
  }
}
