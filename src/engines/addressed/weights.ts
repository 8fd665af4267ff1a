/** What each feature weighs. Learned by `npm run learn:addressed`; docs/decisions/addressed.md has the figures. */

export const FEATURES = {
  touched: { weight: 1.6, sign: 1, meaning: 'a commented line was edited' },
  focused: { weight: 0.34, sign: 1, meaning: 'and most edits of the file are near it' },
  shortened: { weight: 0.8, sign: 1, meaning: 'and nothing was put in its place' },
  inserted: { weight: 1.19, sign: 1, meaning: 'lines were inserted next to the commented ones' },
  linkedNearby: {
    weight: 0.26,
    sign: 1,
    meaning: 'the commented lines stayed, but an edit near them fits the comment',
  },
  reformattedAsAsked: {
    weight: 1.11,
    sign: 1,
    meaning: 'the comment is about format, and the lines were reformatted',
  },
  movedAsAsked: { weight: 0.78, sign: 1, meaning: 'the comment is about the order, and code near it moved' },
  madeAsAsked: { weight: 0, sign: 1, meaning: 'a suggestion, replacement, new name or new spelling' },
  removed: { weight: 0.59, sign: 1, meaning: 'the comment asks to remove code, and it is gone' },
  vanished: { weight: 0.52, sign: 1, meaning: 'a name that the comment is against is gone' },
  named: { weight: 0.39, sign: 1, meaning: 'the share of the names in the comment that are new in the code' },
  phrased: { weight: 0.3, sign: 1, meaning: 'two words in a row of the comment are new in the code' },
  worded: {
    weight: 0.58,
    sign: 1,
    meaning: 'the share of the words in the comment that are new in the code (square root)',
  },
  explained: { weight: 0.12, sign: 1, meaning: 'a comment in the code was asked for and written' },
  small: { weight: 1.29, sign: 1, meaning: 'the comment calls itself a nit, or is about format or spelling' },
  long: { weight: -0.74, sign: -1, meaning: 'the comment is long (logarithm of its words)' },
} as const satisfies Record<string, { weight: number; sign: 1 | -1; meaning: string }>;

export type Feature = keyof typeof FEATURES;

/** What a thread weighs before anything is known about it. */
export const BIAS = -1.25;

/** From this confidence on, evidence changes the status. */
export const ADDRESSED = 0.85;

/** From this confidence on, the discussion is shown as possibly addressed. */
export const MAYBE = 0.5;

export interface Weights {
  bias: number;
  of: Record<Feature, number>;
}

export const FEATURE_NAMES = Object.keys(FEATURES) as Feature[];

export const LEARNED: Weights = {
  bias: BIAS,
  of: Object.fromEntries(FEATURE_NAMES.map((name) => [name, FEATURES[name].weight])) as Weights['of'],
};

/** The confidence that the code answers the comment. */
export function weigh(features: Record<Feature, number>, weights: Weights): number {
  const sum = FEATURE_NAMES.reduce((total, name) => total + weights.of[name] * features[name], weights.bias);
  return 1 / (1 + Math.exp(-sum));
}
