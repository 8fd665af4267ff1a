/** The token in an invitation link: derived from the invitation, so that its mail can be written later; the database holds its hash. */
import { createHmac } from 'node:crypto';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';

export function invitationToken(secrets: SecretBox, invitationId: string): string {
  return createHmac('sha256', secrets.derive('invitation')).update(invitationId).digest('base64url');
}

export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/invitation#token=${token}`;
}
