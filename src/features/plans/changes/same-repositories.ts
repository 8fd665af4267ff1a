/** Whether a post names the same repositories as the plan. */

/** Ignores order and case; a last path segment matches the full name that ends with it. */
export function areSameRepositories(sent: readonly string[], known: readonly string[]): boolean {
  const names = sent.map((name) => name.toLowerCase());
  const fulls = known.map((name) => name.toLowerCase());
  const isSame = (name: string, full: string) => full === name || full.endsWith(`/${name}`);
  return (
    names.every((name) => fulls.some((full) => isSame(name, full))) &&
    fulls.every((full) => names.some((name) => isSame(name, full)))
  );
}
