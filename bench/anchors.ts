/**
 * `node bench/anchors.ts < cases.jsonl`: follows each quote from one text to another. Each input line is a case
 * `{id, quote, prefix, suffix, heading, before, after}`; each output line is a result `{id, result, start, end}`.
 */
import { z } from 'zod';
import { compareTexts, portAnchor } from '../src/engines/anchors/index.ts';

const Case = z.object({
  id: z.union([z.string(), z.number()]),
  quote: z.string(),
  prefix: z.string().nullish(),
  suffix: z.string().nullish(),
  heading: z.string().nullish(),
  before: z.string(),
  after: z.string(),
});

let number = 0;
for await (const line of linesOf(process.stdin)) {
  number += 1;
  if (line.trim() === '') continue;
  const answer = follow(line);
  if (typeof answer === 'string') {
    process.stderr.write(`line ${number}: ${answer}\n`);
    process.exitCode = 1;
  } else if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

/** Only line feeds end a line: JSON strings may contain other line separators unescaped. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  input.setEncoding('utf8');
  let pieces: string[] = [];
  for await (const chunk of input as AsyncIterable<string>) {
    const [first, ...rest] = chunk.split('\n');
    pieces.push(first!);
    for (const piece of rest) {
      yield pieces.join('');
      pieces = [piece];
    }
  }
  yield pieces.join('');
}

/** The result, or why there is none. */
function follow(line: string) {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  const read = Case.safeParse(value);
  if (!read.success) return z.prettifyError(read.error).replaceAll('\n', ' ');
  const { id, quote, prefix, suffix, heading, before, after } = read.data;
  const anchor = { quote, prefix: prefix ?? '', suffix: suffix ?? '', heading: heading ?? null };
  const placement = portAnchor(anchor, compareTexts(before, after));
  return placement.result === 'orphaned'
    ? { id, result: placement.result, start: null, end: null }
    : { id, result: placement.result, start: placement.start, end: placement.end };
}
