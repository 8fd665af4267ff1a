/** Go: go.mod and go.work. */
import type { FactList } from '../fact-list.ts';
import { addDependency, addPackage } from './dependencies.ts';

const DIRECTIVE = /^(module|require|replace|use|exclude|retract|tool|ignore|godebug)\b\s{0,20}(.{0,500})$/;

export function readGoMod(source: string, facts: FactList): void {
  for (const { directive, line, value } of readDirectives(source)) {
    if (directive === 'module') {
      const name = /^"?([^\s"]{1,300})/.exec(value)?.[1];
      if (name) addPackage(facts, { ecosystem: 'go', name, line });
    }
    if (directive !== 'require') continue;
    const match = /^"?([^\s"]{1,300})"?\s{1,20}(v[^\s/]{1,100})(\s{0,20}\/\/\s{0,20}indirect)?/.exec(value);
    if (!match) continue;
    const scope = match[3] ? 'indirect' : undefined;
    addDependency(facts, { ecosystem: 'go', name: match[1]!, version: match[2], scope, line });
  }
}

export function readGoWork(source: string, facts: FactList): void {
  for (const { directive, line, value } of readDirectives(source)) {
    const folder = /^"?([^\s"]{1,300})/.exec(value)?.[1];
    if (directive !== 'use' || !folder) continue;
    facts.add({
      kind: 'workspace',
      role: 'provides',
      name: folder.replace(/^\.\/(?=.)/, ''),
      line,
      detail: 'go',
    });
  }
}

/** Both forms: `require x v1` and a block in parentheses. */
function* readDirectives(source: string) {
  let block: string | null = null;
  for (const [index, raw] of source.split('\n').entries()) {
    const text = raw.slice(0, 600).trim();
    if (text === '' || text.startsWith('//')) continue;
    if (block) {
      if (text.startsWith(')')) block = null;
      else yield { directive: block, value: text, line: index + 1 };
      continue;
    }
    const match = DIRECTIVE.exec(text);
    if (!match) continue;
    if (match[2]!.startsWith('(')) block = match[1]!;
    else yield { directive: match[1]!, value: match[2]!, line: index + 1 };
  }
}
