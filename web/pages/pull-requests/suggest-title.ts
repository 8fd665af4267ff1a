/** The title of a pull request before anyone writes one: its only commit, else the name of its branch. Pure. */

export function suggestTitle({ head, onlyCommit }: { head: string; onlyCommit: string | null }): string {
  if (onlyCommit) return onlyCommit;
  const words = head
    .slice(head.lastIndexOf('/') + 1)
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? head : `${words[0]!.toUpperCase()}${words.slice(1)}`;
}
