/** Components of Vue and Svelte: a script, and a template whose expressions use the names of the script. */
import type { ImportedModule, SymbolDefinition } from '../../../platform/core/ports/code-facts.ts';

export const isComponent = (path: string): boolean => /\.(?:vue|svelte)$/i.test(path);

const SCRIPT = /<script\b[^>]{0,500}>|<\/script\s{0,10}>/gi;

/** Both have the lines of the whole file, and spaces where the other one is. */
export function readComponent(text: string): { script: string; template: string } {
  let [script, template] = ['', ''];
  let [from, isScript] = [0, false];
  const take = (to: number) => {
    const part = text.slice(from, to);
    const blank = part.replaceAll(/[^\r\n]/g, ' ');
    script += isScript ? part : blank;
    template += isScript ? blank : part;
    from = to;
  };
  for (const tag of text.matchAll(SCRIPT)) {
    const opens = !tag[0].startsWith('</');
    if (opens === isScript) continue;
    take(opens ? tag.index + tag[0].length : tag.index);
    isScript = opens;
  }
  take(text.length);
  return { script, template };
}

/** A tag, an attribute that Vue evaluates, a bracket of an expression, a name, a line; a member of something else is no name of the script. */
const PART =
  /<([A-Z][\w$]{0,100})|\s(?:[:@#]|v-)[\w.:[\]-]{0,100}="([^"\n]{0,2000})"|[{}]|\.\s{0,4}[A-Za-z_$][\w$]{0,100}|[A-Za-z_$][\w$]{0,200}|\n/g;
const WORD = /(?<![\w$.])[A-Za-z_$][\w$]{0,200}/g;

export function usesInTemplate(
  template: string,
  { imports, symbols }: { imports: readonly ImportedModule[]; symbols: readonly SymbolDefinition[] },
  add: (name: string, line: number) => void,
): void {
  // Other words are text, or members of something.
  const known = new Set([
    ...imports.flatMap(({ names }) => names.map(({ as, name }) => as ?? name)),
    ...symbols.map(({ name }) => name),
  ]);
  const addKnown = (name: string, line: number) => {
    if (known.has(name)) add(name, line);
  };
  let [line, depth] = [1, 0];
  for (const [part, tag, expression] of template.matchAll(PART)) {
    if (part === '\n') line += 1;
    else if (part === '{') depth += 1;
    else if (part === '}') depth = Math.max(0, depth - 1);
    else if (tag !== undefined) addKnown(tag, line);
    else if (expression !== undefined) {
      if (part.startsWith('\n')) line += 1;
      for (const [word] of expression.matchAll(WORD)) addKnown(word, line);
    } else if (depth > 0 && !part.startsWith('.')) addKnown(part, line);
  }
}
