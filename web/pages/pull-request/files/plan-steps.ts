/** The steps of a plan, and whether the changed files speak to each: by the files that a step names, nothing else. Pure. */
import type { CallOutput } from '../../../api/client.ts';
import { covers } from './plan-files.ts';

type Plan = Pick<CallOutput<'get-plan'>, 'content' | 'structure'>;

export interface PlanStep {
  text: string;
  /** The files that it names, up to the next step or heading. */
  files: string[];
  /** `none`: it names no file, so nothing can be said. */
  state: 'changed' | 'unchanged' | 'none';
}

export function readPlanSteps({ content, structure }: Plan, changed: readonly string[]): PlanStep[] {
  const { files, sections, steps } = structure;
  const starts = [...steps, ...sections].map(({ start }) => start).toSorted((one, other) => one - other);
  return steps.map(({ start, text }) => {
    const end = starts.find((other) => other > start) ?? content.length;
    const said = content.slice(start, end);
    const named = files.filter((name) => isNamed(said, name));
    const isChanged = named.some((name) => changed.some((path) => covers(name, path)));
    return { text, files: named, state: named.length === 0 ? 'none' : isChanged ? 'changed' : 'unchanged' };
  });
}

/** As a whole path: `a.ts` is not named by `src/data.ts`. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!/[\w/-]$|[\w/]\.$/.test(text.slice(Math.max(0, at - 2), at)) && !/^(?:[\w/-]|\.\w)/.test(after))
      return true;
  }
  return false;
}
