/**
 * Sets one seed for all property tests, so that runs are repeatable.
 * `FAST_CHECK_SEED=random npm test` tries new cases; a number repeats the run that printed it.
 */
import fc from 'fast-check';

const wanted = process.env.FAST_CHECK_SEED ?? '20261115';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
