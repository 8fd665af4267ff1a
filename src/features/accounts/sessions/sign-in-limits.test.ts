/** Who can lock out whom: the limits on attempts, over any sequence of wrong passwords. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Attempt,
  limitsOf,
  MAX_PER_ACCOUNT,
  MAX_PER_ACCOUNT_AND_NETWORK,
  MAX_PER_DEVICE,
  MAX_PER_NETWORK,
} from './sign-in-limits.ts';

/** Counts as the store does, within one window: whether the password was looked at. */
function createCounter() {
  const counts = new Map<string, number>();
  return (attempt: Attempt): boolean =>
    limitsOf(attempt).every(({ bucket, max }) => {
      const count = (counts.get(bucket) ?? 0) + 1;
      counts.set(bucket, count);
      return count <= max;
    });
}

const someEmail = fc.constantFrom('ada@acme.example', 'bo@acme.example', 'nobody@acme.example');
const someAddress = fc.oneof(
  fc.nat(255).map((n) => `198.51.100.${n}`),
  fc.nat(9).map((n) => `2001:db8::${n}`),
  fc.constant('203.0.113.9'),
);
const byStranger = fc.record({ email: someEmail, address: someAddress, deviceId: fc.constant(undefined) });
const byAnyone = fc.record({
  email: someEmail,
  address: someAddress,
  deviceId: fc.option(fc.constantFrom('phone', 'laptop'), { nil: undefined }),
});
const manyOf = (attempt: fc.Arbitrary<Attempt>) => fc.array(attempt, { maxLength: 400, size: 'max' });

it('no sequence of guesses by strangers locks out a known device', () => {
  fc.assert(
    fc.property(manyOf(byStranger), byStranger, (guesses, owner) => {
      const count = createCounter();
      guesses.forEach(count);
      expect(count({ ...owner, deviceId: 'phone' })).toBe(true);
    }),
  );
});

it('guesses from one network never lock the account for another', () => {
  fc.assert(
    fc.property(fc.nat(500), someEmail, (guesses, email) => {
      const count = createCounter();
      const guess = { email, address: '203.0.113.9', deviceId: undefined };
      for (let n = 0; n < guesses; n += 1) count(guess);
      expect(count({ ...guess, address: '192.0.2.1' })).toBe(true);
    }),
  );
});

it('keeps password checks within every limit, no matter who guesses', () => {
  fc.assert(
    fc.property(manyOf(byAnyone), (attempts) => {
      const lookedAt = attempts.filter(createCounter());
      const strangers = lookedAt.filter(({ deviceId }) => deviceId === undefined);
      const most = (of: Attempt[], key: (attempt: Attempt) => string) =>
        Math.max(
          0,
          ...Map.groupBy(of, key)
            .values()
            .map(({ length }) => length),
        );
      expect(most(strangers, ({ email }) => email)).toBeLessThanOrEqual(MAX_PER_ACCOUNT);
      expect(most(strangers, (a) => limitsOf(a)[0]!.bucket)).toBeLessThanOrEqual(MAX_PER_NETWORK);
      expect(most(strangers, (a) => limitsOf(a)[1]!.bucket)).toBeLessThanOrEqual(MAX_PER_ACCOUNT_AND_NETWORK);
      const known = lookedAt.filter(({ deviceId }) => deviceId !== undefined);
      expect(most(known, (a) => `${a.email} ${a.deviceId}`)).toBeLessThanOrEqual(MAX_PER_DEVICE);
    }),
  );
});
