/** Recognizes the agent client from the name it sends. */

/** The vendor whose name the text starts with, as a whole word: `codex_cli_rs/0.9`, `Cursor 2.1`, `claude-code`. */
export function vendorNamedBy(text: string | null, vendors: readonly string[]): string | undefined {
  if (text === null) return undefined;
  const folded = fold(text);
  return vendors
    .toSorted((left, right) => right.length - left.length)
    .find((vendor) => folded === fold(vendor) || folded.startsWith(`${fold(vendor)}-`));
}

/** Words in lower case with hyphens between them. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}
