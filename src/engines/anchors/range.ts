/** A part of a text: UTF-16 indexes, the end not included. */
export interface Range {
  start: number;
  end: number;
}

/** The successor of a quote in the new text. */
export interface Found extends Range {
  /** Whether its neighbors are the same as before. */
  inPlace: boolean;
}
