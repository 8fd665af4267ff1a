/** Routes of Actix Web and Rocket (attributes of functions), and of Axum. */
import type { FileSource } from '../../extractor.ts';
import type { FactList } from '../fact-list.ts';
import { LineCounter } from '../line-counter.ts';
import { addRoute } from './route-name.ts';

const ATTRIBUTE = /#\[(get|post|put|patch|delete|head|options)\(\s{0,20}"([^"\n]{1,300})"/g;
/** The methods are before the next route of the chain. */
const AXUM_ROUTE = /\.route\(\s{0,40}"([^"\n]{1,300})"\s{0,4},\s{0,40}((?:(?!\.route\()[^;]){1,300})/g;
const AXUM_METHOD = /(?:^|\.|::)(get|post|put|patch|delete|head|options|any)\(/g;

/** By convention the last thing in a file. */
const TESTS = /^#\[cfg\(test\)\]\s{1,10}(?:pub\s)?mod \w{1,60}\s?\{/m;

export function readRustRoutes(file: FileSource, facts: FactList): void {
  const uses = (crate: string) => file.imports.some(({ module }) => module.split('::', 1)[0] === crate);
  const framework = uses('actix_web') ? 'actix' : uses('rocket') ? 'rocket' : null;
  const tests = file.text.search(TESTS);
  const text = tests < 0 ? file.text : file.text.slice(0, tests);
  const lines = new LineCounter(text);
  if (framework) {
    for (const match of text.matchAll(ATTRIBUTE)) {
      const path = match[2]!.replace(/<[^>]{1,100}>/g, '{}');
      addFound(facts, lines, match.index, { method: match[1]!, path, detail: framework });
    }
  } else if (uses('axum')) {
    for (const match of text.matchAll(AXUM_ROUTE)) {
      for (const [, method] of match[2]!.matchAll(AXUM_METHOD)) {
        addFound(facts, lines, match.index, { method: method!, path: match[1]!, detail: 'axum' });
      }
    }
  }
}

function addFound(
  facts: FactList,
  lines: LineCounter,
  index: number,
  route: { method: string; path: string; detail: string },
): void {
  const { before, line } = lines.at(index);
  if (!before.includes('//')) addRoute(facts, { ...route, line });
}
