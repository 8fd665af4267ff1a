/** The public interface of trials. */
export { runTrial } from './run-trial.ts';
