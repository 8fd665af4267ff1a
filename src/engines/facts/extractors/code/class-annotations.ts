/** The annotations of classes, and of one member. */
import { type CodeClass, classAt } from './classes.ts';
import type { Call, Code } from './read-code.ts';

const cache = new WeakMap<Code, Map<CodeClass, Call[]>>();

/** The annotations of the class around a token. */
export function classAnnotations(code: Code, index: number): Call[] {
  const owner = classAt(code.classes, index);
  return (owner && annotationsOfClasses(code).get(owner)) ?? [];
}

function annotationsOfClasses(code: Code): Map<CodeClass, Call[]> {
  const known = cache.get(code);
  if (known) return known;
  const byClass = new Map<CodeClass, Call[]>();
  // Both lists are in the order of the file.
  let next = 0;
  for (const call of code.calls) {
    if (!call.isOnClass) continue;
    while (next < code.classes.length && code.classes[next]!.start <= call.end) next += 1;
    const owner = code.classes[next];
    if (owner) byClass.set(owner, [...(byClass.get(owner) ?? []), call]);
  }
  cache.set(code, byClass);
  return byClass;
}

/** Annotations that follow each other directly belong to the same member. */
export function memberAnnotations(code: Code): Call[][] {
  const groups: Call[][] = [];
  let last: Call | null = null;
  for (const call of code.calls) {
    if (!call.isAnnotation || call.isOnClass) continue;
    const isNext =
      last !== null && call.index - last.end <= 3 && isOnlySymbols(code, last.end + 1, call.index);
    if (isNext) groups.at(-1)!.push(call);
    else groups.push([call]);
    last = call;
  }
  return groups;
}

function isOnlySymbols(code: Code, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (!/^[@[\]#,]$/.test(code.tokens[i]!.text)) return false;
  return true;
}
