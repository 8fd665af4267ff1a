/** Turns typed words into a glob: the words in their order anywhere in the path, ignoring case. */

const IS_GLOB = /[*?[\]{}]/;
/** The service accepts a thousand; each letter becomes four. */
const MAX_LETTERS = 200;

/** A glob stays as it is. */
export function globFor(typed: string): string {
  const text = typed.trim();
  if (IS_GLOB.test(text)) return text;
  const words = [...text].slice(0, MAX_LETTERS).join('').split(/\s+/).filter(Boolean);
  if (words.length === 0) return '';
  // Between words and after the last one: the rest of the same name, or further path segments.
  return `**/*${words.map(inAnyCase).join('{*,*/**/*}')}{*,*/**}`;
}

function inAnyCase(word: string): string {
  return [...word.replace(/^\/+/, '')]
    .map((sign) => {
      const [lower, upper] = [sign.toLowerCase(), sign.toUpperCase()];
      if (lower !== upper && [...lower].length === 1 && [...upper].length === 1) return `[${lower}${upper}]`;
      return /[\\,!^-]/.test(sign) ? `\\${sign}` : sign;
    })
    .join('');
}

/** Paths with the last word in the file's own name come first, then shorter ones. */
export function bestFirst(paths: readonly string[], typed: string): string[] {
  const last = typed
    .trim()
    .split(/[\s/]+/)
    .at(-1)!
    .toLowerCase();
  const rank = (path: string) => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    if (name === last) return 0;
    if (name.startsWith(last)) return 1;
    return name.includes(last) ? 2 : 3;
  };
  return paths
    .map((path) => ({ path, rank: rank(path) }))
    .sort((one, other) => one.rank - other.rank || one.path.length - other.path.length)
    .map(({ path }) => path);
}
