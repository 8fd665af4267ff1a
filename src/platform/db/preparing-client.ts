/** A connection that uses prepared statements, so that PostgreSQL parses and plans each query once. */
import pg from 'pg';

/** We have few distinct queries. If there are ever more than this, the rest are not prepared. */
const MAX_TEXTS = 1000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < MAX_TEXTS) {
    name = `q${names.size}`;
    names.set(text, name);
  }
  return name;
}

export class PreparingClient extends pg.Client {
  // The driver's many overloads are one function underneath; only the form that the query builder uses is changed.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver cannot be repeated here.
  override query(...given: any[]): any {
    const [text, values] = given;
    const named =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 && given.length === 2;
    const query = super.query as (...rest: unknown[]) => unknown;
    return named ? query.call(this, { name: nameOf(text), text, values }) : query.apply(this, given);
  }
}
