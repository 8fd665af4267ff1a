/**
 * The limits that a sign-in attempt counts against, as a pure function.
 * Invariants: attempts from elsewhere never lock out a device that has signed in to the account before; one network
 * never locks an account for other networks; all unknown devices together share one limit per account, however many
 * networks they come from.
 */
import { networkOf } from '../../../platform/core/network/network.ts';

/** The window of each limit, which starts with its first attempt. */
export const WINDOW_MS = 15 * 60 * 1000;
export const MAX_PER_DEVICE = 10;
export const MAX_PER_NETWORK = 100;
export const MAX_PER_ACCOUNT_AND_NETWORK = 10;
/** From unknown devices in all networks. */
export const MAX_PER_ACCOUNT = 50;

export interface Attempt {
  email: string;
  address: string;
  /** The device, if it has proved that it signed in to this account before. */
  deviceId: string | undefined;
}

export interface Limit {
  bucket: string;
  max: number;
  /** After a correct password: reset the count, or subtract this attempt. */
  onSuccess: 'reset' | 'subtract';
  /** Whether it is cleared when the account's password is reset. */
  ofAccount: boolean;
}

/** The limits in the order in which they are counted. The first one exceeded rejects the attempt; the rest are not counted. */
export function limitsOf({ address, deviceId, email }: Attempt): Limit[] {
  if (deviceId !== undefined) {
    const bucket = `device ${email} ${deviceId}`;
    return [{ bucket, max: MAX_PER_DEVICE, onSuccess: 'reset', ofAccount: true }];
  }
  const network = networkOf(address);
  const perNetwork = { bucket: `network ${network}`, max: MAX_PER_NETWORK, ofAccount: false };
  const perAccount = { bucket: `account ${email}`, max: MAX_PER_ACCOUNT, ofAccount: true };
  const both = { bucket: `account ${email} network ${network}`, max: MAX_PER_ACCOUNT_AND_NETWORK };
  return [
    { ...perNetwork, onSuccess: 'subtract' },
    { ...both, ofAccount: true, onSuccess: 'reset' },
    { ...perAccount, onSuccess: 'subtract' },
  ];
}
