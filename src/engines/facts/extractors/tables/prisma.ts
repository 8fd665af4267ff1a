/** Models of a Prisma schema; `@@map` names the table. */
import type { AddTable } from './add-table.ts';

export function readPrisma(source: string, add: AddTable): void {
  let model: { name: string; line: number } | null = null;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 400);
    const opened = /^model\s{1,8}(\w{1,100})\s{0,8}\{/.exec(line);
    if (opened) model = { name: opened[1]!, line: index + 1 };
    if (!model) continue;
    const mapped = /^\s{0,40}@@map\(\s{0,4}(?:name:\s{0,4})?"([^"]{1,100})"/.exec(line);
    if (mapped) model = { ...model, name: mapped[1]! };
    if (!line.startsWith('}')) continue;
    add('provides', model.name, model.line, 'prisma');
    model = null;
  }
}
