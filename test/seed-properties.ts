/**
 * Gives the generated cases of every property test one seed, so that a run says the same thing twice.
 * `FAST_CHECK_SEED=random npm test` looks for cases nobody has seen; any number repeats the run that printed it.
 */
import fc from 'fast-check';

const wanted = process.env.FAST_CHECK_SEED ?? '20261115';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
