/** The input and the verdict of the judge. */

export interface Reply {
  body: string;
  /** False for this service's reviewers, other bots and agents: only people object. */
  isPerson: boolean;
}

/** Lines that changed in another file. */
export interface OtherHunk {
  file: string;
  /** Where the new lines start, counted from 1. */
  startLine: number;
  before: readonly string[];
  after: readonly string[];
}

export interface ReviewThread {
  comment: string;
  /** After the comment, oldest first. */
  replies: readonly Reply[];
  file: string;
  /** Lines of `before`, counted from 1, both inclusive; 0 to 0 is the whole file. */
  startLine: number;
  endLine: number;
  commentedCode: string;
  /** The file that the comment was made on, and the same file now. */
  before: string;
  after: string;
  otherHunks: readonly OtherHunk[];
}

/** Changed lines, counted from 1; an empty range ends before it starts. */
export interface AnsweringHunk {
  file: string;
  beforeStart: number;
  beforeEnd: number;
  afterStart: number;
  afterEnd: number;
}

export interface Judgment {
  verdict: 'addressed' | 'maybe' | 'open';
  /** How likely the code answers the comment if half of all threads were answered; 0 to 1. */
  confidence: number;
  /** One sentence for the reviewer. */
  reason: string;
  hunks: AnsweringHunk[];
}
