/** The kinds of records that the OAuth server stores, by their names in the library. */

export const RECORD_KINDS = [
  'Client',
  'Interaction',
  'Grant',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];
