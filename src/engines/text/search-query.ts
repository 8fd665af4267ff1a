/** The language of code search: text to find, `or` between alternatives, and filters such as `-path:docs/`. */

export interface SearchFilter {
  name: string;
  isNegated: boolean;
  value: string;
  /** Where it stands in the query, with its sign and value. */
  start: number;
  end: number;
}

export interface SearchQuery {
  /** The texts, any of which is to be found; with a regular expression, that expression alone. */
  terms: string[];
  filters: SearchFilter[];
  /** Written like filters, but with other names, such as `foo:bar`. */
  unknown: SearchFilter[];
}

interface Token {
  kind: 'text' | 'or' | 'filter';
  start: number;
  end: number;
}

interface Kinds {
  isRegex: boolean;
  /** The names of filters. */
  known: readonly string[];
}

const FILTER = /-?([a-z]{2,20}):(?=\S)/y;
/** After the colon of code, as in `std::move` and `https://`. */
const CODE = /[:/=]/y;

export function parseSearchQuery(query: string, { isRegex, known }: Kinds): SearchQuery {
  const parsed: SearchQuery = { terms: [], filters: [], unknown: [] };
  const alternatives: Token[][] = [[]];
  const isText = (token: Token | undefined) => token?.kind === 'text';
  const texts: Token[] = [];
  for (const token of readTokens(query)) {
    const filter = token.kind === 'filter' ? readFilter(query, token, known) : undefined;
    if (filter) (known.includes(filter.name) ? parsed.filters : parsed.unknown).push(filter);
    else texts.push({ ...token, kind: token.kind === 'or' && !isRegex ? 'or' : 'text' });
  }
  texts.forEach((token, index) => {
    const divides = token.kind === 'or' && alternatives.at(-1)!.length > 0 && isText(texts[index + 1]);
    if (divides) alternatives.push([]);
    else alternatives.at(-1)!.push(token);
  });
  for (const alternative of alternatives) {
    const term = textOf(query, alternative);
    if (term !== '') parsed.terms.push(isRegex ? term : unquote(term));
  }
  return parsed;
}

function* readTokens(query: string): Generator<Token> {
  for (let at = 0; at < query.length; ) {
    if (/\s/.test(query[at]!)) {
      at += 1;
      continue;
    }
    const start = at;
    at = endOfToken(query, start);
    const word = query.slice(start, at);
    FILTER.lastIndex = start;
    const kind = FILTER.test(query) ? 'filter' : word === 'or' || word === 'OR' ? 'or' : 'text';
    yield { kind, start, end: at };
  }
}

/** White space ends a token, but not between quotes. */
function endOfToken(query: string, start: number): number {
  let at = start;
  while (at < query.length && !/\s/.test(query[at]!)) {
    if (query[at] === '\\' && /["\\]/.test(query[at + 1] ?? '')) at += 2;
    else at = query[at] === '"' ? (endOfQuoted(query, at) ?? at + 1) : at + 1;
  }
  return at;
}

/** The offset after the closing quote; undefined when there is none. */
function endOfQuoted(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** Undefined for code that only looks like a filter. */
function readFilter(
  query: string,
  { end, start }: Token,
  known: readonly string[],
): SearchFilter | undefined {
  FILTER.lastIndex = start;
  const name = FILTER.exec(query)![1]!;
  const isNegated = query[start] === '-';
  const valueStart = start + (isNegated ? 1 : 0) + name.length + 1;
  CODE.lastIndex = valueStart;
  const isCode = known.includes(name) ? query[valueStart] === ':' : CODE.test(query);
  if (isCode) return undefined;
  return { name, isNegated, value: unquote(query.slice(valueStart, end)), start, end };
}

/** As it was typed, with one space for each filter in between. */
function textOf(query: string, tokens: readonly Token[]): string {
  let text = '';
  tokens.forEach(({ end, start }, index) => {
    const before = tokens[index - 1];
    const between = before ? query.slice(before.end, start) : '';
    text += (between.trim() === '' ? between : ' ') + query.slice(start, end);
  });
  return text;
}

/** Quotes around the whole text are not part of it. */
function unquote(text: string): string {
  if (text.length < 3 || !text.startsWith('"') || endOfQuoted(text, 0) !== text.length) return text;
  return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
}

export function quoteSearchText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A query that finds exactly this text: quoted only where it would mean something else. */
export function searchQueryFor(text: string, known: readonly string[]): string {
  const { filters, terms, unknown } = parseSearchQuery(text, { isRegex: false, known });
  const isPlain = filters.length + unknown.length === 0 && terms.length === 1 && terms[0] === text;
  return isPlain ? text : quoteSearchText(text);
}

export function writeSearchFilter({
  isNegated,
  name,
  value,
}: Pick<SearchFilter, 'name' | 'value' | 'isNegated'>): string {
  const isPlain = /^[^\s":\\][^\s"\\]*$/.test(value);
  return `${isNegated ? '-' : ''}${name}:${isPlain ? value : quoteSearchText(value)}`;
}

/** The query without some of its filters. */
export function withoutSearchFilters(query: string, filters: readonly SearchFilter[]): string {
  return [...filters]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { end, start }) => `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`,
      query,
    )
    .trim();
}
