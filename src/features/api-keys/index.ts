/** The API keys' door. */
export { type ApiKeyRow, findKeyOwner, revokeKeysOf, selectKeys } from './api-key-store.ts';
export { KeyName } from './contract.ts';
export { createApiKey, generateApiKey } from './create-api-key.ts';
export { explainKey } from './explain-key.ts';
export { createKeyFinder, type KeyFinder } from './find-key.ts';
export { listApiKeys } from './list-api-keys.ts';
export { endApiKey, revokeApiKey } from './revoke-api-key.ts';
