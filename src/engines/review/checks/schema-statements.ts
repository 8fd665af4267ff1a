/** What a migration does to the schema, without formatting, guards and comments. */

const MAX_CHARACTERS = 1024 * 1024;
/** Languages with statement terminators; in others, each line is a statement. */
const WITH_BRACES = /\.(php|[cm]?[jt]s|go|java|cs)$/i;
const SQL =
  /\b(create|alter|drop|rename)\s+((unique|temp|temporary)\s+)?(table|index|column|type|view|constraint)\b|\b(add|drop|alter|modify)\s+(column|constraint)\b|\binsert\s+into\b|\bupdate\s+\S+\s+set\b|\bdelete\s+from\b/i;
/** Calls and SQL that change a schema or its rows. */
const CHANGES = [
  /\bSchema::(create|table|drop|rename)/,
  /\$(table|blueprint|column)\w*\s*->/,
  /\b(queryInterface|knex|table|schema|migrations|models|op|t)\.\w+/,
  /\.(create|drop|alter|rename|add|remove|change)(Table|Column|Index|Foreign|Unique|Primary)\w*\(/,
  /^\s*(add|remove|change|rename|create|drop|execute|enable)(_\w+)?[\s(]/,
  SQL,
  /\b(xorm|gorm):"/,
];

const IMPORT = /^\s*(import|from|use|using|require)\b/;

/** In a fixed order. */
export function schemaStatements(path: string, text: string): string[] {
  const source = withoutComments(path, text.slice(0, MAX_CHARACTERS));
  if (/\.(sql|xml)$/i.test(path)) {
    const words = source.toLowerCase().replaceAll(/\bif\s+(not\s+)?exists\b/g, '');
    return words.split(';').map(squeeze).filter(Boolean).sort();
  }
  const parts = WITH_BRACES.test(path) ? source.split(/[;{}]/) : source.split('\n');
  return (
    parts
      .filter((part) => !IMPORT.test(part) && CHANGES.some((pattern) => pattern.test(part)))
      // How code runs its SQL isn't part of the schema.
      .map((part) => part.slice(Math.max(0, part.search(SQL))))
      .map((part) => squeeze(part).replace(/,(static)?function\(.*$|,(async)?\(?\w*\)?=>.*$/, ''))
      .sort()
  );
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]])/g, '');
}

function withoutComments(path: string, text: string): string {
  if (/\.(py|rb)$/i.test(path)) return text.replaceAll(/^\s*#.*$/gm, '');
  if (/\.sql$/i.test(path)) return text.replaceAll(/--.*$/gm, '');
  return text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
}
