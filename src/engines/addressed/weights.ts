/** The weight of each feature, learned by `npm run learn:addressed`; docs/evaluations/addressed.md has the figures. */

export const FEATURES = {
  touched: { weight: 1.41, sign: 1, meaning: 'a commented line was edited' },
  whole: { weight: 0.59, sign: 1, meaning: '… in a change of few other lines' },
  focused: { weight: 0.34, sign: 1, meaning: '… and most edits of the file are near it' },
  shortened: { weight: 0.64, sign: 1, meaning: '… and nothing was put in its place' },
  inserted: { weight: 1.15, sign: 1, meaning: 'lines were inserted next to the commented ones' },
  linkedNearby: {
    weight: 0.7,
    sign: 1,
    meaning: 'no commented line was edited, but an edit near them fits',
  },
  reformattedAsAsked: { weight: 1.05, sign: 1, meaning: 'the comment is about format; it changed' },
  movedAsAsked: { weight: 0.95, sign: 1, meaning: 'the comment is about order; code near it moved' },
  removed: { weight: 0.73, sign: 1, meaning: 'the comment asks to remove code; it is gone' },
  vanished: { weight: 0.64, sign: 1, meaning: 'a name that the comment is against is gone' },
  small: { weight: 1.24, sign: 1, meaning: 'the comment is a nit, or about format or spelling' },
  against: { weight: -0.41, sign: -1, meaning: 'the comment says what not to do (instead, avoid, wrong)' },
  long: { weight: -0.67, sign: -1, meaning: 'the comment is long (logarithm of its words)' },
} as const satisfies Record<string, { weight: number; sign: 1 | -1; meaning: string }>;

export type Feature = keyof typeof FEATURES;

/** The score of a thread before any feature counts. */
export const BIAS = -1.14;

/** From this confidence on, evidence changes the status. */
export const ADDRESSED = 0.71;

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
