/** The time of day as an argument, so that tests can set it. */

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
