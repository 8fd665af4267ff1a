/** A value of a JSON, YAML or TOML document with the line that it's on. */

export type Scalar = string | number | boolean | null;

export interface DataNode {
  /** From 1. For a value of a map, the line of its key. */
  line: number;
  scalar?: Scalar;
  entries?: Map<string, DataNode>;
  items?: DataNode[];
}

/** Deeper documents are not read: no manifest or deployment file comes close. */
export const MAX_DATA_DEPTH = 100;
/** Documents with more values are not read. */
export const MAX_DATA_NODES = 200_000;

/** The value at the end of a path of keys. */
export function at(node: DataNode | null | undefined, ...keys: string[]): DataNode | undefined {
  let found = node ?? undefined;
  for (const key of keys) found = found?.entries?.get(key);
  return found;
}

export function text(node: DataNode | null | undefined): string | undefined {
  return typeof node?.scalar === 'string' && node.scalar !== '' ? node.scalar : undefined;
}

/** Numbers and booleans too, as they were written in effect: versions and environment values often lack quotes. */
export function scalarText(node: DataNode | null | undefined): string | undefined {
  return node?.scalar === undefined || node.scalar === null ? undefined : String(node.scalar);
}

export function entries(node: DataNode | null | undefined): [string, DataNode][] {
  return node?.entries ? [...node.entries] : [];
}

/** A single value counts as a list of one: many formats allow both. */
export function items(node: DataNode | null | undefined): DataNode[] {
  if (!node) return [];
  return node.items ?? (node.scalar === undefined || node.scalar === null ? [] : [node]);
}
