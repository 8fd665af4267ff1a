/** The address that a deleted account has from then on: it reaches nobody, and names nobody in commits. */
const DOMAIN = '@deleted.invalid';
/** For LIKE. */
export const DELETED_ADDRESSES = `%${DOMAIN}`;

export function deletedAddress(userId: string): string {
  return `${userId}${DOMAIN}`;
}
