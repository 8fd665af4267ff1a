/** What the OAuth server remembers, by the names that the library has for it. */

export const RECORD_KINDS = [
  'Client',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];
