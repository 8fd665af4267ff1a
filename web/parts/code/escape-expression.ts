/** A regular expression that matches this text literally. */
export function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`);
}
