/** Ticks or unticks one task of a Markdown text; everything else stays as it is. Pure. */

/** The box can stand on the line after the marker, also in a quotation. */
const TASK = /^(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|[ \t]*(?:\r\n?|\n)[ \t>]*)\[([ \txX])\]/;

/** `start` is where the list item begins. Undefined if there is no task. */
export function toggleTask(source: string, start: number): string | undefined {
  const task = TASK.exec(source.slice(start, start + MAX_MARKER));
  if (!task) return undefined;
  const at = start + task[0].length - 2;
  return `${source.slice(0, at)}${/x/i.test(task[1]!) ? ' ' : 'x'}${source.slice(at + 1)}`;
}

const MAX_MARKER = 100;
