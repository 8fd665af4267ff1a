/** The arguments of a call, from the text after its opening parenthesis, and how many there are; undefined when that can't be told. */

const MAX_CHARACTERS = 4000;
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

export function countArguments(text: string, language: string): number | undefined {
  const parts = splitArguments(text, language);
  return parts && countParts(parts, language);
}

/** The texts between the commas, with strings left empty; undefined when the list does not end. */
export function splitArguments(text: string, language: string): string[] | undefined {
  const open: string[] = [];
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < Math.min(text.length, MAX_CHARACTERS); at += 1) {
    const sign = text[at]!;
    const skipped = skipText(text, at, language);
    if (skipped !== at) {
      // Comments are skipped; a string is a value.
      if (/["'`]/.test(sign)) part += '""';
      at = skipped - 1;
      continue;
    }
    if (open.length === 0 && sign === ')') return [...parts, part];
    if (CLOSING[sign]) open.push(CLOSING[sign]!);
    else if (sign === open.at(-1)) open.pop();
    else if (/[)\]}]/.test(sign)) return undefined;
    if (sign === ',' && open.length === 0) {
      parts.push(part);
      part = '';
    } else part += sign;
  }
  return undefined;
}

function countParts(parts: string[], language: string): number | undefined {
  const given = parts.map((part) => part.trim());
  // There may be nothing after the last comma.
  if (given.at(-1) === '') given.pop();
  if (given.some((part) => part === '' || isUnclear(part, language))) return undefined;
  // In Go, a call can return several values.
  if (language === 'go' && given.length === 1 && given[0]!.endsWith(')')) return undefined;
  return given.length;
}

/** Any number of values, or a comma that separates something else. */
function isUnclear(part: string, language: string): boolean {
  if (language === 'python') return /^\*|\blambda\b/.test(part);
  return part.includes('...') || /[<>]/.test(part.replaceAll(/=>|->|<-|<=|>=/g, ''));
}

/** The end of a string or comment that begins here, else the same place. */
function skipText(text: string, at: number, language: string): number {
  const rest = text.slice(at, at + 3);
  if (language === 'python') {
    if (rest === '"""' || rest === "'''") return endOf(text, rest, at + 3);
    if (rest.startsWith('#')) return endOf(text, '\n', at) - 1;
  } else {
    if (rest.startsWith('//')) return endOf(text, '\n', at) - 1;
    if (rest.startsWith('/*')) return endOf(text, '*/', at + 2);
  }
  const quote = rest[0];
  if (quote !== '"' && quote !== "'" && quote !== '`') return at;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end + 1;
  }
  return text.length;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end + mark.length;
}
