/** The roles of a table, for elements that aren't laid out as one: browsers drop the roles of table elements that are. */

export const CELL = { role: 'cell' } as const;

/** A cell without text. */
export const namedCell = (name: string | undefined) => ({ role: 'cell', 'aria-label': name }) as const;

/** Only some of the rows exist. */
export const tableRole = (name: string, rows: number) =>
  ({ role: 'table', 'aria-label': name, 'aria-rowcount': rows }) as const;

export const rowRole = (index: number) => ({ role: 'row', 'aria-rowindex': index }) as const;
