/** How a setting is described and read. */
import { resolve } from 'node:path';

export interface Setting<T> {
  /** As written in the environment; undefined when there is no default. */
  default?: string;
  /** Describes a default that depends on something else. */
  defaultNote?: string;
  takes: string;
  meaning: string;
  read(text: string): T;
}

/** A setting that cannot be read; the message follows its name, such as "must be an integer". */
export class InvalidSetting extends Error {}

export function integer(min: number, max: number): Pick<Setting<number>, 'takes' | 'read'> {
  const range = `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  return {
    takes: `an integer, ${range}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new InvalidSetting(`must be an integer from ${range}`);
      return value;
    },
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Pick<Setting<T>, 'takes' | 'read'> {
  return {
    takes: values.map((value) => `\`${value}\``).join(', '),
    read(text) {
      const value = values.find((candidate) => candidate === text.toLowerCase());
      if (value === undefined) throw new InvalidSetting(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

export function readPath(text: string): string {
  if (text.includes('\0')) throw new InvalidSetting('must not contain the NUL character');
  return resolve(text);
}

/** A name on one line. */
export function readLine(text: string): string {
  if (/\p{Cc}/u.test(text) || [...text].length > 200) {
    throw new InvalidSetting('must have at most 200 characters and no control characters');
  }
  return text;
}

export function readList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

export function readHosts(text: string): string[] {
  const entries = readList(text).map((entry) => entry.toLowerCase());
  const wrong = entries.filter((entry) => URL.parse(`http://${entry}`)?.hostname !== entry);
  if (wrong.length > 0)
    throw new InvalidSetting(`must be host names without a port; not valid: ${wrong.join(', ')}`);
  return entries;
}
