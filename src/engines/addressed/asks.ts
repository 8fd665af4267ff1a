/** The kinds of change that a comment asks for, by its words. */

export type Ask =
  | 'remove'
  | 'rename'
  | 'avoid'
  | 'document'
  | 'test'
  | 'move'
  | 'format'
  | 'keep'
  | 'spell'
  | 'nit'
  | 'question';

/** Tried on lower-case prose. No repetition is inside another, so that none takes long on any text. */
const PATTERNS: ReadonlyArray<readonly [Ask, RegExp]> = [
  [
    'remove',
    /\b(?:remov(?:e|ed|ing)|delet(?:e|ed|ing)|drop(?:ped)?|g[eo]t rid|unused|unneeded|unnecessary|needed|not necessary|redundant|left ?overs?|obsolete|stale|dead code|don't need|not used|used ?\?|superfluous|pointless|useless|revert|twice|duplicated?|inlined?)(?!\w)/,
  ],
  ['rename', /\b(?:renam(?:e|ed|ing)|naming|names?|called?|misnomer)\b/],
  [
    'avoid',
    /\b(?:instead|rather than|avoid|don't|do not|shouldn't|should not|never|replace|no longer|not? (?:use|using)|wrong)\b|->|→/,
  ],
  [
    'document',
    /\b(?:java ?doc|js ?doc|tsdoc|docstring|document(?:ed|ation)?|comments?|explain|explanation|describe|description|todo|license|copyright|mention|clarify)\b/,
  ],
  [
    'test',
    /\b(?:(?:add|missing|needs?|write|include|with) (?:\w{1,20} ){0,3}tests?|unit ?tests?|coverage)\b/,
  ],
  [
    'move',
    /\b(?:mov(?:e|ed|ing)|above|below|before|after|sort(?:ed)?|re-?order(?:ed)?|order(?:ing)?|alphabeti[a-z]{1,7}|belongs?|top|bottom)\b/,
  ],
  [
    'format',
    /\b(?:indent(?:ed|ation)?|white ?space|spac(?:es?|ing)|blank|empty lines?|new ?lines?|(?:one|single|own) line|one-liners?|line (?:length|break)s?|too long|(?:over|exceeds?) \d{2,3}|\d{2,3} char(?:acter)?s|wrap(?:s|ped|ping)?|fold|join|style|format(?:ting|ted)?|trailing|(?:un)?tab(?:s|ify)?|semi-?colons?|commas?|braces?|brackets?|paren(?:s|theses|thesis)?|quot(?:es?|ed)|align(?:ed|ment)?)\b/,
  ],
  [
    'spell',
    /\b(?:typos?|spelling|misspelled|grammar|capital(?:i[sz]ed?)?|(?:upper|lower|camel|snake)[- ]?case)\b|\bs\/[^/\s]{1,40}\//,
  ],
  ['keep', /\b(?:keep|restore|leave|undo|stay|(?:put|bring|add) (?:\w{1,20} )?back)\b/],
  ['nit', /\bnit(?:s|pick)?\b/],
];

export function readAsks(prose: string): Set<Ask> {
  const text = prose.toLowerCase().replaceAll('’', "'");
  const asks = new Set(PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([ask]) => ask));
  if (isQuestion(text)) asks.add('question');
  return asks;
}

const ASKS_TO_KNOW =
  /^(?:(?:so|and|but|hm+|ah|nit|just curious|out of curiosity)[,:]? )?(?:why|what|how|when|where|who|which|is|are|was|were|does|do|did|has|have|will|any (?:particular )?reason|am i)\b/;
const ASKS_TO_DO =
  /\b(?:can|could|would|should|shouldn't|please|how about|what about|why (?:not|don't|isn't)|maybe|perhaps|instead|rather|better|let's|mind|possible to|makes? sense|need|needed|necessary|relevant|worth)\b/;

/** "Why is this 3?" wants an answer; "can you …?" and "should this be …?" want a change. */
export function isQuestion(text: string): boolean {
  const sentences = text.toLowerCase().split(/(?<=[.!?])\s|\n/);
  return sentences.some((sentence) => {
    const question = sentence.trim();
    return question.endsWith('?') && ASKS_TO_KNOW.test(question) && !ASKS_TO_DO.test(question);
  });
}
