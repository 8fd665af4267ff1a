/** The secrets' door. */
export { openSecrets } from './open-secrets.ts';
export { createSecretBox } from './seal.ts';
