/** Certificate authorities and certificates that tests make with openssl. */
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Identity {
  certificate: string;
  key: string;
}

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function makeAuthority(folder: string, name: string): Identity {
  const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  openssl('req', '-x509', ...KEY, '-keyout', key, '-out', certificate, '-subj', `/CN=${name}`, '-days', '2');
  return { certificate, key };
}

/** `names` in certificate syntax: `DNS:localhost,IP:127.0.0.1`. */
export function makeCertificate(folder: string, name: string, authority: Identity, names: string): Identity {
  const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const [request, extension] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)];
  writeFileSync(extension, `subjectAltName=${names}\n`);
  openssl('req', ...KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
  const signing = ['-CA', authority.certificate, '-CAkey', authority.key, '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', request, '-out', certificate, ...signing, '-extfile', extension);
  chmodSync(key, 0o600);
  return { certificate, key };
}
