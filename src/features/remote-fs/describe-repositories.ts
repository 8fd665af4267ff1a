/** Repositories in sentences. */

const MAX_NAMED = 5;

export function repositories(count: number, one: string, several: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? `repository ${one}` : `repositories ${several}`}`;
}

/** The first few names. */
export function named(some: readonly { name: string }[]): string {
  const names = some.slice(0, MAX_NAMED).map(({ name }) => name);
  if (some.length > MAX_NAMED) names.push(`and ${(some.length - MAX_NAMED).toLocaleString('en-US')} more`);
  return names.join(', ');
}
