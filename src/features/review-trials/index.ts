/** The public interface of trials. */
export { queueTrials, RUN_REVIEW_TRIAL, runTrial } from './run-trial.ts';
