/** The public interface of secrets. */
export { openSecrets } from './open-secrets.ts';
export { createSecretBox } from './seal.ts';
