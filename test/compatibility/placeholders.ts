/** Placeholders for what differs between runs: ids, times, secrets and addresses. References between replies stay checkable. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Placeholders of ids and secrets are numbered, so that two places with one value show it. */
const KINDS = {
  id: { form: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', numbered: true },
  // Commits of fixtures have fixed times in 2023.
  time: {
    form: '(?!2023-)20\\d\\d-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|\\+00:00| UTC)?|[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} 20\\d\\d [\\d:]{8} GMT',
    numbered: false,
  },
  secret: {
    form: 'csk_[0-9A-Za-z]{49}|whsec_[\\w+/=-]{20,}|(?<![\\w-])(?![0-9a-f]+(?![\\w-]))(?=[\\w-]*\\d)(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])[\\w-]{43,}',
    numbered: true,
  },
  /** The id of the fence around text that others wrote. */
  fence: { form: '(?<=untrusted id=\\\\?")[0-9a-f]{16}', numbered: false },
} as const;
type Kind = keyof typeof KINDS;

const ANY = new RegExp(
  Object.entries(KINDS)
    .map(([kind, { form }]) => `(?<${kind}>${form})`)
    .join('|'),
  'g',
);
const PLACEHOLDER = new RegExp(`<(${Object.keys(KINDS).join('|')})(?: \\d+ of [\\w-]+)?>`, 'g');

/** Values that are never the same twice, by the name of their field. */
const VOLATILE = [
  'requestId',
  'nextCursor',
  'prefix',
  'lastFour',
  'last_four',
  'secondsToFirstReview',
  'durationMs',
];
/** Fields that depend on the machine or the version, by recording. */
const OF_THE_MACHINE: Record<string, string[]> = {
  'check-system': ['state', 'detail', 'next'],
  'export-organization': ['version'],
  'get-system': [
    ...['countersign', 'node', 'postgres', 'git', 'ripgrep', 'host', 'version', 'queues', 'mirrorsCounted'],
    ...['databaseBytes', 'mirrorBytes', 'diskFreeBytes'],
  ],
};
const ANYTHING = '<any>';

export interface Places {
  /** Fixed names for addresses and folders of this run, the longest first. */
  literals: [text: string, name: string][];
}

function named(value: string, { literals }: Places): string {
  return literals.reduce((text, [literal, name]) => text.replaceAll(literal, name), value);
}

/** Writes replies for the recording. An id gets its name from the recording in which it occurs first. */
export function createScrubber(places: Places) {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: Kind, value: string, recording: string) => {
    if (!KINDS[kind].numbered) return `<${kind}>`;
    const known = names.get(value);
    if (known) return known;
    const count = (counts.get(kind + recording) ?? 0) + 1;
    counts.set(kind + recording, count);
    const name = `<${kind} ${count} of ${recording}>`;
    names.set(value, name);
    return name;
  };
  const scrub = (value: Json, recording: string, field = ''): Json => {
    if (OF_THE_MACHINE[recording]?.includes(field)) return ANYTHING;
    if (value !== null && VOLATILE.includes(field)) return `<${typeof value}>`;
    if (typeof value === 'string')
      return named(value, places).replaceAll(ANY, (found, ...rest) => {
        const groups = rest.at(-1) as Record<Kind, string | undefined>;
        const kind = (Object.keys(groups) as Kind[]).find((each) => groups[each] !== undefined)!;
        return nameOf(kind, found, recording);
      });
    if (Array.isArray(value)) return value.map((each) => scrub(each, recording));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, scrub(each, recording, name)]),
    );
  };
  return scrub;
}

/** Lists what of a recording is no longer as recorded. More fields than recorded are fine; so are more allowed values (`enum`). */
export function createMatcher(places: Places) {
  const boundTo = new Map<string, string>();
  const placeholderOf = new Map<string, string>();
  /** Whether the placeholder stands for this value everywhere. */
  const binds = (placeholder: string, value: string) => {
    if (!placeholder.includes(' of ')) return true;
    if (!boundTo.has(placeholder) && !placeholderOf.has(value)) {
      boundTo.set(placeholder, value);
      placeholderOf.set(value, placeholder);
    }
    return boundTo.get(placeholder) === value;
  };
  const matchesText = (recorded: string, given: string) => {
    const placeholders = [...recorded.matchAll(PLACEHOLDER)];
    if (placeholders.length === 0) return recorded === given;
    let at = 0;
    let form = '';
    for (const { 0: placeholder, 1: kind, index } of placeholders) {
      form += `${RegExp.escape(recorded.slice(at, index))}(${KINDS[kind as Kind].form})`;
      at = index + placeholder.length;
    }
    const found = new RegExp(`^${form}${RegExp.escape(recorded.slice(at))}$`).exec(given);
    return (
      found !== null && placeholders.every(([placeholder], index) => binds(placeholder, found[index + 1]!))
    );
  };
  const differences = (recorded: Json, given: Json | undefined, path: string): string[] => {
    const differs = () => [`${path}: was ${shown(recorded)}, is ${shown(given)}`];
    if (given === undefined) return [`${path}: was ${shown(recorded)}, is missing`];
    if (typeof recorded === 'string') {
      if (recorded === ANYTHING || recorded === `<${typeof given}>`) return [];
      return typeof given === 'string' && matchesText(recorded, named(given, places)) ? [] : differs();
    }
    if (recorded === null || typeof recorded !== 'object') return recorded === given ? [] : differs();
    if (Array.isArray(recorded)) {
      if (!Array.isArray(given)) return differs();
      if (path.endsWith('.enum')) return recorded.every((each) => given.includes(each)) ? [] : differs();
      if (given.length !== recorded.length)
        return [`${path}: had ${recorded.length} elements, has ${given.length}: ${shown(given)}`];
      return recorded.flatMap((each, index) => differences(each, given[index], `${path}[${index}]`));
    }
    if (given === null || typeof given !== 'object' || Array.isArray(given)) return differs();
    return Object.entries(recorded).flatMap(([name, each]) =>
      differences(each, Object.hasOwn(given, name) ? given[name] : undefined, `${path}.${name}`),
    );
  };
  return differences;
}

const SHOWN_CHARACTERS = 300;

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
