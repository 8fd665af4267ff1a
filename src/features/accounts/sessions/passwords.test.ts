/** Checking a password costs the same whether or not there is a user. */
import { expect, it } from 'vitest';
import { checkPassword, DECOY_HASH, hashPassword } from './passwords.ts';

const parametersOf = (hash: string) => hash.split('$').slice(1, 4);

it('checks the password of an unknown user against a hash that costs as much as a real one', async () => {
  expect(parametersOf(DECOY_HASH)).toEqual(parametersOf(await hashPassword('any password')));
});

it('never accepts a password for an unknown user, even the one behind that hash', async () => {
  expect(await checkPassword(DECOY_HASH, 'no one has this password')).toBe(true);
  expect(await checkPassword(undefined, 'no one has this password')).toBe(false);
});
