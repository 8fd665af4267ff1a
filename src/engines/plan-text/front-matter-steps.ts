/** The to-dos that Cursor keeps in the front matter of a plan, read line by line, which is enough for the YAML it writes. */
import type { Block } from '../text/index.ts';

interface FrontMatterStep {
  text: string;
  done: boolean;
  start: number;
  end: number;
}

const FIELD = /^(- )? *([A-Za-z_]{1,20}):\s*(.*)$/;
const BLOCK_TEXT = /^[|>][+-]?$/;
const DONE = new Set(['completed', 'complete', 'done']);

export function frontMatterSteps(content: string, block: Block): FrontMatterStep[] {
  const steps: FrontMatterStep[] = [];
  let step: FrontMatterStep | null = null;
  let isInTodos = false;
  let takesNextLine = false;
  let start = block.textStart;
  for (const raw of content.slice(block.textStart, block.textEnd).split('\n')) {
    const line = raw.trimEnd();
    const isIndented = line.startsWith(' ') || line.startsWith('\t');
    const [, dash, name, value = ''] = FIELD.exec(line.trimStart()) ?? [];
    if (takesNextLine && step) step.text = line.trim();
    else if (name && !isIndented && !dash) isInTodos = name === 'todos';
    else if (isInTodos && name) {
      if (dash) {
        step = { text: '', done: false, start, end: start };
        steps.push(step);
      }
      if (step && name === 'content') step.text = unquoted(value);
      if (step && name === 'status') step.done = DONE.has(unquoted(value).toLowerCase());
    }
    takesNextLine = !takesNextLine && isInTodos && name === 'content' && BLOCK_TEXT.test(value);
    if (step && isInTodos) step.end = start + line.length;
    start += raw.length + 1;
  }
  return steps;
}

function unquoted(value: string): string {
  const quote = value[0];
  if ((quote !== '"' && quote !== "'") || !value.endsWith(quote) || value.length < 2) return value;
  const inner = value.slice(1, -1);
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'");
}
