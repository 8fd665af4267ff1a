/** Rows as CSV (RFC 4180), safe to open in a spreadsheet. */

/** What spreadsheets take for the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]|^[\s']|\s$/;

/** An apostrophe in front keeps a spreadsheet from running what somebody chose as their name. */
export function csvField(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}
