/** The secret of every service that tests start, so that several nodes on one database have the same. */
import { createSecretBox } from '../../../src/platform/secrets/index.ts';

export const testSecrets = createSecretBox(Buffer.alloc(32, 7));
