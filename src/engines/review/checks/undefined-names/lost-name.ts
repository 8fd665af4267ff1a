import type { Line, ReviewedFile } from '../../code/read-change.ts';

/** A name whose declaration is gone while uses of it are left. */
export interface Lost {
  file: ReviewedFile;
  language: string | null;
  name: string;
  isImport: boolean;
  removed: Line;
  /** The lines that use it at the head. */
  uses: number[];
}
