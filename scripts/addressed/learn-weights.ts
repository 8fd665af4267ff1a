/**
 * Logistic regression with a penalty on large weights, and without weights against the meaning of their feature: those are 0.
 * Both labels count the same in total, so that a confidence of 0.5 separates them best.
 */

import { makeContext } from '../../src/engines/addressed/comment-context.ts';
import { compareCode } from '../../src/engines/addressed/compare-code.ts';
import { findEvidence } from '../../src/engines/addressed/evidence.ts';
import { measure } from '../../src/engines/addressed/features.ts';
import { readComment } from '../../src/engines/addressed/read-comment.ts';
import { FEATURE_NAMES, FEATURES, type Weights } from '../../src/engines/addressed/weights.ts';
import type { LabeledThread } from './labeled-threads.ts';

const PENALTY = 0.5;
const STEPS = 1_000;

export interface Example {
  values: number[];
  isAddressed: boolean;
}

export function makeExample(thread: LabeledThread): Example {
  const context = makeContext(readComment(thread.comment), compareCode(thread));
  const features = measure(context, findEvidence(context));
  return { values: FEATURE_NAMES.map((name) => features[name]), isAddressed: thread.label === 'addressed' };
}

export function learnWeights(examples: readonly Example[]): Weights {
  const positive = examples.filter(({ isAddressed }) => isAddressed).length;
  const importance = [examples.length / 2 / (examples.length - positive), examples.length / 2 / positive];
  // With values up to 1, no step of this size overshoots.
  const rate = 4 / (examples.length * (FEATURE_NAMES.length / 3 + 1) + PENALTY);
  let bias = 0;
  let weights = FEATURE_NAMES.map(() => 0);
  let [biasAhead, ahead] = [bias, weights];
  for (let step = 1; step <= STEPS; step += 1) {
    let biasSlope = 0;
    const slopes = ahead.map((weight) => PENALTY * weight);
    for (const { values, isAddressed } of examples) {
      const sum = values.reduce((total, value, index) => total + value * ahead[index]!, biasAhead);
      const error = importance[Number(isAddressed)]! * (1 / (1 + Math.exp(-sum)) - Number(isAddressed));
      biasSlope += error;
      for (let index = 0; index < values.length; index += 1) slopes[index]! += error * values[index]!;
    }
    const nextBias = biasAhead - rate * biasSlope;
    const next = ahead.map((weight, index) => {
      const moved = weight - rate * slopes[index]!;
      return FEATURES[FEATURE_NAMES[index]!].sign > 0 ? Math.max(0, moved) : Math.min(0, moved);
    });
    // Nesterov's momentum.
    const momentum = (step - 1) / (step + 2);
    biasAhead = nextBias + momentum * (nextBias - bias);
    ahead = next.map((weight, index) => weight + momentum * (weight - weights[index]!));
    [bias, weights] = [nextBias, next];
  }
  const of = Object.fromEntries(FEATURE_NAMES.map((name, index) => [name, weights[index]!]));
  return { bias, of: of as Weights['of'] };
}
