/** Parses JSON bodies. Pure, so that it can run in any thread. */
import { isUtf8 } from 'node:buffer';
import { Problem, type ProblemCode } from '../../platform/core/errors/errors.ts';
import { type Outline, reduceTo } from '../../platform/core/operations/input-outline.ts';
import { sourceOfMember } from '../../platform/core/operations/json-source.ts';

/** The parts of a body that an operation reads. */
export interface WantedJson {
  outline: Outline;
  /** The fields whose source text is kept. */
  asSent: string[];
}

export interface ReadJson {
  value: unknown;
  sources: Record<string, string>;
}

/** Errors lose their class on the way from a thread, so they are sent as data. */
export type ThreadAnswer = ReadJson | { refused: ProblemCode; detail: string };

/** More values are refused in a message that has no outline; what agents send has a few dozen. */
const MAX_VALUES = 50_000;

export function parseJson(bytes: Buffer): { text: string; value: unknown } {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (/^[ \t\r\n]*$/.test(text)) return { text: '', value: undefined };
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw new Problem('invalid_json', `The body is not valid JSON: ${placeOf(error as Error)}.`, {
      cause: error,
    });
  }
}

/** In a thread: only what is wanted is sent back. */
export function readWanted(bytes: Uint8Array, wanted: WantedJson): ThreadAnswer {
  return answer(() => {
    const { text, value } = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const reduced = reduceTo(wanted.outline, value);
    const sources = wanted.asSent.flatMap((name) => {
      const source = sourceOfMember(text, name);
      return source === undefined ? [] : [[name, source]];
    });
    return { value: reduced, sources: Object.fromEntries(sources) };
  });
}

/** In a thread: all of it, unless it has too many values. Undefined if it is not valid. */
export function readMessage(bytes: Uint8Array): ThreadAnswer {
  return answer(() => {
    let value: unknown;
    try {
      value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
    } catch {
      return { value: undefined, sources: {} };
    }
    const left = [value];
    let count = 0;
    while (left.length > 0) {
      count += 1;
      if (count + left.length > MAX_VALUES)
        throw new Problem(
          'payload_too_large',
          `The message has more than ${MAX_VALUES.toLocaleString('en-US')} JSON values.`,
        );
      const next = left.pop();
      // Not with a spread, which has a limit of its own.
      if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) left.push(each);
    }
    return { value, sources: {} };
  });
}

function answer(read: () => ReadJson): ThreadAnswer {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return { refused: error.code, detail: error.message };
    throw error;
  }
}

/** V8's message without its excerpt of the body, which may contain secrets. */
function placeOf(error: Error): string {
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return position
    ? `unexpected character at position ${position}`
    : 'it is incomplete or has an unexpected character';
}
