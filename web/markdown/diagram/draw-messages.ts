/** The messages between a page and the frame that draws diagrams. */

export interface DrawRequest {
  source: string;
  dark: boolean;
}

export type DrawAnswer =
  | { kind: 'ready' }
  | { kind: 'drawn'; svg: string; width: number; height: number }
  | { kind: 'failed'; message: string };
