/** How the languages of a system write one field: `total_cents`, `totalCents`, `TotalCents`, `GetTotalCents`. */

/** Go writes these in capitals. */
const INITIALISMS = new Set([
  'api',
  'db',
  'dns',
  'html',
  'http',
  'https',
  'id',
  'ids',
  'ip',
  'json',
  'sql',
  'ssh',
  'tls',
  'ttl',
  'uid',
  'uri',
  'url',
  'urls',
  'uuid',
  'xml',
]);
const MIN_CHARACTERS = 7;
/** Frameworks and libraries give these to objects of any kind. */
const COMMON =
  /^(created|updated|deleted|modified|inserted|started|finished|expires?)(at|on|by|date|time)$|^(user|account|parent|object|resource|content|tenant|project|organi[sz]ation)(id|ids|name|type)s?$|^(display|first|last|full|file|host|path|class|node|tag|type|key)name$|^(content|mime|media|data)type$|^(page|total|max|min|line|row|item|file)(size|count|number|length|width|height)$|^(api|access|secret|private|public)(key|token)$|^(default|initial|current|previous|next)(value|state|page)$|^(error|status)(code|message|text)$|^(is|has)(active|enabled|disabled|loading|valid|default|open|visible)$|^(base|root|home)(url|path|dir)$|^(time|log)(out|zone|stamp|level)$|^(read|write)only$/;

/** The same for all spellings. */
export function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Whether a member with this name is hardly anything else: of several words, and not one that every library has. */
export function isTelling(name: string): boolean {
  return (
    name.length >= MIN_CHARACTERS &&
    wordsOf(name).length > 1 &&
    /^[A-Za-z]\w*$/.test(name) &&
    !COMMON.test(plainName(name))
  );
}

/** Every word that code can contain for it. */
export function spellingsOf(name: string): string[] {
  const words = wordsOf(name);
  const pascal = words.map(upper).join('');
  const inGo = words.map((word) => (INITIALISMS.has(word) ? word.toUpperCase() : upper(word))).join('');
  const camel = `${words[0]}${words.slice(1).map(upper).join('')}`;
  const camelInGo = `${words[0]}${inGo.slice(words[0]!.length)}`;
  return [
    ...new Set([
      name,
      words.join('_'),
      camel,
      camelInGo,
      pascal,
      inGo,
      `get${pascal}`,
      `Get${pascal}`,
      `set${pascal}`,
    ]),
  ];
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter(Boolean);
}

function upper(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
