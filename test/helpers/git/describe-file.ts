/** The facts of a file as short lines. */

import { extractFacts } from '../../../src/engines/facts/extract-facts.ts';
import type { FileFacts, SymbolDefinition } from '../../../src/platform/core/ports/code-facts.ts';

/** `+` for exported; the container, kind, lines and parameters. */
function describeSymbol(symbol: SymbolDefinition): string {
  const { container, endLine, isExported, kind, line, name, parameters } = symbol;
  const called = parameters ? `(${parameters.required}..${parameters.total ?? ''})` : '';
  const lines = line === endLine ? line : `${line}-${endLine}`;
  return `${isExported ? '+' : '-'}${kind} ${container ? `${container}.` : ''}${name}${called} ${lines}`;
}

function describeImport({ line, module, names }: FileFacts['imports'][number]): string {
  return `${module} ${line}: ${names.map(({ as, name }) => (as ? `${name} as ${as}` : name)).join(', ')}`;
}

export async function describeFile(path: string, text: string) {
  const { imports, incomplete, symbols, uses } = await extractFacts({ path, text }, []);
  return {
    incomplete,
    symbols: symbols.map(describeSymbol),
    imports: imports.map(describeImport),
    uses: uses.map(({ lines, name }) => `${name} ${lines}`),
  };
}
