/** The public interface of API keys. */
export { type ApiKeyRow, findKeyOwner, revokeKeysOf, selectKeys } from './api-key-store.ts';
export { KeyName } from './contract.ts';
export { generateApiKey } from './create-api-key.ts';
export { explainKey } from './explain-key.ts';
export { createKeyFinder, type KeyFinder } from './find-key.ts';
export { endApiKey } from './revoke-api-key.ts';
