/** The public interface of secrets. */
export { openSecrets, verifySecretFile } from './open-secrets.ts';
export { openWithPassphrase, readPassphrase, type SealedSecret, sealWithPassphrase } from './passphrase.ts';
export { createSecretBox } from './seal.ts';
export { placeSecretFile, readSecretFile } from './secret-file.ts';
