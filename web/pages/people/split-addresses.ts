/** Addresses as people paste them: separated by commas, semicolons, spaces or lines, some as `Ada <ada@acme.example>`. */

export function splitAddresses(pasted: string): string[] {
  const bare = pasted.replaceAll(/(?:"[^"\n]*"\s*|[^<>,;\n@]*)<([^<>\s]+)>/g, ' $1 ');
  return [...new Set(bare.split(/[\s,;]+/).filter((part) => part !== ''))];
}
