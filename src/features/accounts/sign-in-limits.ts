/**
 * What an attempt to sign in counts against, as a pure rule.
 * Invariants: attempts from elsewhere never lock out a device that has signed in to the account before; one network
 * never locks an account for the others; all unknown devices together have a limit for each account, however many
 * networks they come from.
 */
import { networkOf } from '../../platform/core/network.ts';

/** For each limit: its attempts count for so long, from the first one on. */
export const WINDOW_MS = 15 * 60 * 1000;
export const MAX_PER_DEVICE = 10;
export const MAX_PER_NETWORK = 100;
export const MAX_PER_ACCOUNT_AND_NETWORK = 10;
/** From unknown devices in any networks. */
export const MAX_PER_ACCOUNT = 50;

export interface Attempt {
  email: string;
  address: string;
  /** The device, when it proved that it has signed in to this account before. */
  deviceId: string | undefined;
}

export interface Limit {
  bucket: string;
  max: number;
  /** Once the password was right: start again from nothing, or take this one attempt back. */
  onSuccess: 'reset' | 'take back';
  /** Whether it is dropped when the account's password is reset. */
  ofAccount: boolean;
}

/** The limits in the order in which they are counted; the first that is exceeded refuses, and the rest don't count. */
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
    { ...perNetwork, onSuccess: 'take back' },
    { ...both, ofAccount: true, onSuccess: 'reset' },
    { ...perAccount, onSuccess: 'take back' },
  ];
}
