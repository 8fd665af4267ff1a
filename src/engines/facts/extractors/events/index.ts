/** Topics, queues and jobs: publishing provides them, consuming uses them. */
import type { Extractor, FileSource } from '../../extractor.ts';
import { isTestPath } from '../../path-kinds.ts';
import { importsOf } from '../code/bindings.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { HOLE } from '../code/tokens.ts';
import { FactList } from '../fact-list.ts';
import { readBackgroundJobs } from './background-jobs.ts';
import { EVENT_RULES, type EventRule } from './event-rules.ts';

const RULES = new Map<string, EventRule[]>();
for (const rule of EVENT_RULES) {
  for (const language of rule.languages.split(' '))
    RULES.set(language, [...(RULES.get(language) ?? []), rule]);
}
const LANGUAGES = new Set([...RULES.keys(), 'ruby', 'php']);

export const events: Extractor = {
  name: 'events',
  accepts: (path, language) => language !== null && LANGUAGES.has(language) && !isTestPath(path),
  extract(file) {
    const facts = new FactList();
    readLibraries(file, facts);
    readBackgroundJobs(file, facts);
    return facts.facts;
  },
};

function readLibraries(file: FileSource, facts: FactList): void {
  const modules = importsOf(file).map(({ module }) => module);
  const rules = (RULES.get(file.language ?? '') ?? []).filter((rule) =>
    modules.some((module) => rule.module.test(module)),
  );
  if (rules.length === 0) return;
  const code = readCode(file);
  for (const call of code.calls) {
    for (const rule of rules) {
      if (!rule.call.test(call.chain.at(-1)!) || call.isAnnotation !== Boolean(rule.isAnnotation)) continue;
      if (!isFrom(code, call, rule)) continue;
      for (const { line, value: name } of rule.names(code, call)) {
        if (!isEventName(name)) continue;
        facts.add({ kind: 'event', role: rule.role, name, line: line ?? call.line, detail: rule.detail });
      }
    }
  }
}

/** C# doesn't say which namespace a class is from, so the import of the namespace has to do. */
function isFrom(code: Code, call: Call, rule: EventRule): boolean {
  if (call.origin)
    return rule.module.test(call.origin.module) && (rule.origin?.test(call.origin.path) ?? true);
  return !rule.origin && code.bindings.wildcards.some((module) => rule.module.test(module));
}

/** Names that are partly computed say nothing. */
function isEventName(value: string): boolean {
  return (
    value.length <= 200 && !value.includes(HOLE) && /^[\w.:/#*>~-]+$/.test(value) && /[A-Za-z]/.test(value)
  );
}
