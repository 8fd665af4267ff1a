/** The format of a key: `csk_`, 32 random bytes in base62, and a checksum of six characters to detect typos. */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'csk_';
/** 62^43 is the first power of 62 above 2^256. */
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = /^csk_[0-9A-Za-z]{49}$/;

export function newKeySecret(): string {
  const start = PREFIX + base62(BigInt(`0x${randomBytes(32).toString('hex')}`));
  return start + checksumOf(start);
}

/** Whether it could be a key; rejects typos without querying the database. */
export function isWellFormedKey(secret: string): boolean {
  return (
    FORM.test(secret) && checksumOf(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH)
  );
}

/** The parts shown in the list of keys: enough to recognize a key, too little to use it. */
export function visibleParts(secret: string): { prefix: string; lastFour: string } {
  return { prefix: secret.slice(0, PREFIX.length + 4), lastFour: secret.slice(-4) };
}

/** Uses plain numbers, because it is computed for every request and 32 bits fit. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function base62(value: bigint): string {
  let rest = value;
  let digits = '';
  for (let index = 0; index < BODY_LENGTH; index += 1) {
    digits = ALPHABET[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}
