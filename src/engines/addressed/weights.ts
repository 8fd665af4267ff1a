/** The weight of each feature, learned by `npm run learn:addressed`; docs/evaluations/addressed.md has the figures. */

export const FEATURES = {
  touched: { weight: 2.84, sign: 1, meaning: 'a commented line was edited' },
  rewritten: { weight: 2.25, sign: 1, meaning: '… and much of what the lines said is gone' },
  linked: {
    weight: 3.11,
    sign: 1,
    meaning: 'the comment names, describes or asks for what was changed near it',
  },
  inserted: { weight: 2.97, sign: 1, meaning: 'lines were inserted next to the commented ones' },
  rearranged: {
    weight: 2.75,
    sign: 1,
    meaning: 'the comment is about format or order; that changed near it',
  },
  small: { weight: 0.84, sign: 1, meaning: 'the comment is a nit, or about format or spelling' },
  renamedThroughout: {
    weight: -1.87,
    sign: -1,
    meaning: 'only a name changed, in the whole file, and the comment asks for no such thing',
  },
  unmet: { weight: -1.61, sign: -1, meaning: 'the comment is only a word, and it did not come' },
  against: { weight: -0.74, sign: -1, meaning: 'the comment says what not to do (instead, avoid, wrong)' },
} as const satisfies Record<string, { weight: number; sign: 1 | -1; meaning: string }>;

export type Feature = keyof typeof FEATURES;

/** The score of a thread before any feature counts. */
export const BIAS = -2.34;

/** From this confidence on, evidence changes the status. */
export const ADDRESSED = 0.6;

/** From this confidence on, the discussion is shown as possibly addressed. */
export const MAYBE = 0.55;

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
