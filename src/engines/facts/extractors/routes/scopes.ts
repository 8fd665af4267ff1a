/** The prefixes that hold for a call: those of the groups around it, and of the router that it is called on. */
import type { Call, Code, TokenRange } from '../code/read-code.ts';
import { joinPaths } from './route-name.ts';

export class RouteScopes {
  readonly #closures: (TokenRange & { prefix: string })[] = [];
  readonly #mounts = new Map<string, string>();

  /** Everything inside this call is below the prefix. */
  enclose(call: Call, prefix: string): void {
    this.#closures.push({ start: call.index, end: call.end, prefix });
  }

  mount(name: string, prefix: string): void {
    this.#mounts.set(name, prefix);
  }

  prefixOf(call: Call): string {
    const around = this.#closures
      .filter(({ end, start }) => start < call.index && call.index < end)
      .map(({ prefix }) => prefix);
    return joinPaths(...around, this.#mounts.get(receiverOf(call) ?? ''));
  }
}

/** The name that a call, or the first call of its chain, is made on. */
export function receiverOf(call: Call): string | null {
  let first = call;
  for (let steps = 0; first.previous && steps < 20; steps += 1) first = first.previous;
  return first.chain.at(-2) ?? null;
}

export function lastName(call: Call): string {
  return call.chain.at(-1)!;
}

/** The variable passed as an argument; null when it is anything else. */
export function variable(code: Code, range: TokenRange | undefined): string | null {
  if (!range || range.end === range.start) return null;
  const last = code.tokens[range.end - 1]!;
  return last.kind === 'word' && range.end - range.start <= 3 ? last.text : null;
}
