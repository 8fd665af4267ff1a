/** Rows as CSV (RFC 4180), safe to open in a spreadsheet. */

/** Characters that spreadsheets treat as the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]|^[\s']|\s$/;

/** A leading apostrophe keeps spreadsheets from running a formula, for example in a user name. */
export function csvField(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}
