/** The token in unsubscribe links: names one person in one organization, and can't be made up. It doesn't expire. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Person } from './mail-store.ts';

const ID_BYTES = 16;
const TOKEN = /^[\w-]{86}$/;

export function unsubscribeToken(secrets: SecretBox, { organizationId, userId }: Person): string {
  const named = Buffer.from((organizationId + userId).replaceAll('-', ''), 'hex');
  return Buffer.concat([named, macOf(secrets, named)]).toString('base64url');
}

export function readUnsubscribeToken(secrets: SecretBox, token: string): Person | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const named = bytes.subarray(0, 2 * ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(2 * ID_BYTES), macOf(secrets, named))) return undefined;
  const [organizationId, userId] = [named.subarray(0, ID_BYTES), named.subarray(ID_BYTES)].map((id) =>
    id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );
  return { organizationId: organizationId!, userId: userId! };
}

function macOf(secrets: SecretBox, named: Buffer): Buffer {
  return createHmac('sha256', secrets.derive('mail-unsubscribe')).update(named).digest();
}
