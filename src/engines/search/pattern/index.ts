/** The public interface of patterns: what a regular expression implies about the files it can match. */

export { type PatternPlan, planPattern } from './plan-pattern.ts';
export type { TrigramQuery } from './trigram-query.ts';
