/** Protobuf fields whose numbers are reused, or freed without being reserved. */
import type { Check, Found } from '../check.ts';
import { addedLines, type ReviewedFile, removedLines } from '../code/read-change.ts';

interface Field {
  message: string;
  number: number;
  name: string;
  type: string;
  line: number;
}

interface Messages {
  fields: Field[];
  /** `Message 3` and `Message "name"`. */
  reserved: Set<string>;
  names: Set<string>;
}

const FIELD =
  /^\s*(?:repeated\s+|optional\s+|required\s+)?(map\s*<[^>]+>|[\w.]+)\s+(\w+)\s*=\s*(\d+)\s*(?:\[|;)/;
const MAX_LINES = 50_000;
const MAX_DEPTH = 50;
const MAX_RESERVED = 100_000;
/** Longer ranges, such as `100 to max`, count to here. */
const MAX_RANGE = 1000;

export const protobufFields: Check = {
  name: 'protobuf_field_number',
  reviewer: 'breaking_changes',
  looksFor: 'protobuf field numbers that are reused or freed without `reserved`',
  // Often no released program knows the old number, which the code doesn't say.
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    for (const file of change.files) {
      if (!file.path.endsWith('.proto') || file.change === 'deleted' || file.change === 'added') continue;
      if (file.fileClass === 'vendored' || file.fileClass === 'test') continue;
      const [before, after] = await Promise.all([
        code.read('base', file.oldPath ?? file.path),
        code.read('head', file.path),
      ]);
      if (before !== null && after !== null)
        found.push(...compare(file, readMessages(before), readMessages(after)));
    }
    return found;
  },
};

function compare(file: ReviewedFile, before: Messages, after: Messages): Found[] {
  const key = ({ message, number }: Field) => `${message} ${number}`;
  const now = new Map(after.fields.map((field) => [key(field), field] as const));
  const added = new Map(addedLines(file).map((line) => [line.number, line.text] as const));
  const names = new Set(after.fields.map(({ message, name }) => `${message} ${name}`));
  const removed = new Map(removedLines(file).map((line) => [line.number, line.text] as const));
  return before.fields.flatMap((old): Found[] => {
    if (!after.names.has(old.message)) return [];
    const field = now.get(key(old));
    const reused =
      field &&
      field.name !== old.name &&
      field.type !== old.type &&
      !isRenamed(before, old.type, after, field.type)
        ? added.get(field.line)
        : undefined;
    if (field && reused !== undefined) {
      return [
        {
          claim: 'contract',
          subject: `${old.message}.${field.name}`,
          title: `Field number ${old.number} of ${old.message} is reused`,
          scenario: `Programs built before this change read \`${field.name}\` as \`${old.type} ${old.name}\`, because both have number ${old.number}.`,
          file: file.path,
          side: 'head',
          line: field.line,
          quote: reused,
          evidence: [{ side: 'base', path: file.oldPath ?? file.path, line: old.line, quote: `${old.name}` }],
        },
      ];
    }
    const gone = removed.get(old.line);
    const isReserved = after.reserved.has(key(old));
    const isMoved = names.has(`${old.message} ${old.name}`);
    if (field || gone === undefined || isReserved || isMoved) return [];
    return [
      {
        claim: 'contract',
        subject: `${old.message}.${old.name}`,
        title: `Number ${old.number} of ${old.message} is free again`,
        scenario: `\`${old.name}\` was removed and its number is not reserved: a later field with number ${old.number} would be misread by older programs. Add \`reserved ${old.number};\`.`,
        file: file.oldPath ?? file.path,
        side: 'base',
        line: old.line,
        quote: gone,
        evidence: [],
      },
    ];
  });
}

/** Whether one message took the place of another and kept its numbers and their types: programs read what they know alike. */
function isRenamed(before: Messages, old: string, after: Messages, now: string): boolean {
  if (!before.names.has(old) || after.names.has(old) || before.names.has(now)) return false;
  const typesIn = ({ fields }: Messages, name: string) =>
    new Map(fields.filter(({ message }) => message === name).map(({ number, type }) => [number, type]));
  const [was, is] = [typesIn(before, old), typesIn(after, now)];
  return [...was].every(([number, type]) => is.get(number) === type);
}

/** Line by line: nested messages are told apart by their braces, fields of a oneof belong to the message around it. */
export function readMessages(text: string): Messages {
  const messages: Messages = { fields: [], reserved: new Set(), names: new Set() };
  const open: (string | null)[] = [];
  const lines = withoutComments(text).split('\n').slice(0, MAX_LINES);
  for (const [index, line] of lines.entries()) {
    if (open.length > MAX_DEPTH) break;
    const message = open.filter((name) => name !== null).join('.');
    const field = FIELD.exec(line);
    if (field && open.length > 0 && open.at(-1) !== undefined && message !== '') {
      messages.fields.push({
        message,
        type: field[1]!.replaceAll(/\s/g, ''),
        name: field[2]!,
        number: Number(field[3]),
        line: index + 1,
      });
    }
    for (const number of readReserved(line)) {
      if (messages.reserved.size === MAX_RESERVED) break;
      messages.reserved.add(`${message} ${number}`);
    }
    const started = /^\s*(message|enum|oneof|service|extend|rpc|option)\b\s*([\w.]*)/.exec(line);
    for (const sign of line.match(/[{}]/g) ?? []) {
      if (sign === '}') open.pop();
      else
        open.push(
          started?.[1] === 'message' ? started[2]! : started?.[1] === 'enum' ? `enum ${started[2]}` : null,
        );
    }
    if (started?.[1] === 'message')
      messages.names.add([...message.split('.').filter(Boolean), started[2]].join('.'));
  }
  // Values of an enum look like fields; their rules are others.
  messages.fields = messages.fields.filter(({ message }) => !message.includes('enum '));
  return messages;
}

/** Their lines stay. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('/*', from);
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2);
    if (end === -1) break;
    parts.push(text.slice(from, start), text.slice(start, end + 2).replaceAll(/[^\n]/g, ' '));
    from = end + 2;
  }
  return [...parts, text.slice(from)].join('').replaceAll(/\/\/[^\n]*/g, '');
}

function* readReserved(line: string): Generator<number> {
  const list = /^\s*reserved\s([\d,\stomax]*);/.exec(line)?.[1] ?? '';
  for (const [, first, last] of list.matchAll(/(\d+)(?:\s+to\s+(\d+))?/g)) {
    const [start, end] = [Number(first), Math.min(Number(last ?? first), Number(first) + MAX_RANGE)];
    for (let number = start; number <= end; number += 1) yield number;
  }
}
