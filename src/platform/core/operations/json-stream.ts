/** Streams a JSON reply, so that a list of any length needs only the memory of one batch. */
import { z } from 'zod';
import { isStreamed } from './shapes.ts';

/** Whether a reply of this shape is streamed. */
export function streamsIn(shape: z.ZodType): shape is z.ZodObject {
  return (
    shape instanceof z.ZodObject && Object.values(shape.shape).some((field) => isStreamed(field as z.ZodType))
  );
}

/** The object as JSON text; a streamed list comes as batches of entries. */
export async function* writeJson(
  shape: z.ZodObject,
  result: Record<string, unknown>,
): AsyncGenerator<string> {
  let before = '{';
  for (const [name, field] of Object.entries(shape.shape) as [string, z.ZodType][]) {
    const start = `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!isStreamed(field)) {
      const text = JSON.stringify(field.parse(result[name]));
      if (text === undefined) throw new Error(`${name} must not be absent in a streamed reply`);
      yield start + text;
      continue;
    }
    yield `${start}[`;
    let comma = '';
    for await (const batch of result[name] as AsyncIterable<unknown[]>) {
      if (batch.length === 0) continue;
      const entries = field.parse(batch).map((entry) => JSON.stringify(entry));
      yield comma + entries.join(',');
      comma = ',';
    }
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}
