/** Patterns for full names of repositories: `*` stands for any characters. Not case-sensitive, as names on hosts aren't. */

export function matchesPattern(pattern: string, fullName: string): boolean {
  const parts = pattern.toLowerCase().split('*');
  const name = fullName.toLowerCase();
  const [first = ''] = parts;
  if (parts.length === 1) return name === first;
  const last = parts[parts.length - 1]!;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  // Each part is looked for after the one before; the earliest place leaves the most room for the rest.
  let from = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= end;
}
