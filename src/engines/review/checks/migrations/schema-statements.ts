/** Reduces a migration to its changes of the schema, without formatting, guards, comments and the way back. */

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

/** The beginning of the way back. It still runs as it is now, so editing it is harmless. */
const WAY_BACK =
  /^\s*(def (down|downgrade)\b|func (\([^)]*\) )?[dD]own(?!load)|((public|protected|async|static|export|const|function|exports\.|module\.exports\.)\s*)*down\s*[:(=])/;
const SQL_WAY_BACK = /^--\s*(\+goose down|migrate:down|\+migrate down)\b/i;
const SQL_FORWARD = /^--\s*(\+goose up|migrate:up|\+migrate up)\b/i;

/** At the end of a line of Ruby. */
const RUBY_GUARD = /\s+(if|unless)\s+(\w+\.)?\w+_exists\?.*$|,\s*if_(not_)?exists: true|\s+#\s.*$/g;

/** Statements about the transaction or the connection, without spaces. */
const SESSION = /^(begin|commit|end|starttransaction|pragma|set)(transaction|[a-z_]+=\w+|[a-z_]+to\w+)?$/;

const IMPORT = /^\s*(import|from|use|using|require)\b/;

/** In a fixed order. */
export function schemaStatements(path: string, text: string): string[] {
  const source = withoutComments(path, withoutWayBack(path, text.slice(0, MAX_CHARACTERS)));
  if (/\.(sql|xml)$/i.test(path)) {
    const words = source.toLowerCase().replaceAll(/\bif\s+(not\s+)?exists\b|\bpublic\./g, '');
    return words
      .split(';')
      .map(squeeze)
      .filter((statement) => statement !== '' && !SESSION.test(statement))
      .sort();
  }
  const parts = WITH_BRACES.test(path) ? source.split(/[;{}]/) : source.split('\n');
  return (
    parts
      .filter((part) => !IMPORT.test(part) && CHANGES.some((pattern) => pattern.test(part)))
      // How code runs its SQL isn't part of the schema.
      .map((part) => part.slice(Math.max(0, part.search(SQL))))
      .map((part) => (path.endsWith('.rb') ? part.replaceAll(RUBY_GUARD, '') : part))
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

/** By indentation: a function ends where a line is as far left as its beginning. */
function withoutWayBack(path: string, text: string): string {
  const isSql = /\.sql$/i.test(path);
  let depth: number | undefined;
  return text
    .split('\n')
    .filter((line) => {
      const indentation = line.search(/\S/);
      if (isSql) {
        if (SQL_WAY_BACK.test(line)) depth = 0;
        else if (SQL_FORWARD.test(line)) depth = undefined;
        return depth === undefined;
      }
      if (depth !== undefined && indentation !== -1 && indentation <= depth && !/^\s*\{\s*$/.test(line)) {
        depth = undefined;
        // Its last line.
        if (/^\s*([})\];,]+|end)\s*$/.test(line)) return false;
      }
      if (WAY_BACK.test(line)) depth = indentation;
      return depth === undefined;
    })
    .join('\n');
}
