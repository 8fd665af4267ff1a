/** Following and judging discussions off the main thread. */
export { runJudgeWork } from './run-judge-work.ts';
