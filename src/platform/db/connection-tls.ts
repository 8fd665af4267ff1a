/** The TLS options of a database URL, with the same meaning as in libpq. */
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';

export interface Tls {
  ssl: ConnectionOptions | false;
  sslOtherwise?: ConnectionOptions | false;
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** Throws an Error whose message is meant for the operator. */
export function readTls(host: string, query: URLSearchParams): Tls {
  const rootFile = query.get('sslrootcert') || undefined;
  const mode = readMode(query, rootFile);
  // PostgreSQL does not use TLS over Unix sockets, and libpq ignores the options there.
  if (host.startsWith('/')) return { ssl: false };
  if (mode === 'disable') return { ssl: false };

  const ca = rootFile && rootFile !== 'system' ? readPem('sslrootcert', rootFile) : undefined;
  const files = { ca, cert: readFileOf('sslcert', query), key: readFileOf('sslkey', query) };
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new Error('sslcert and sslkey must be set together.');
  checkPem(files);
  if (mode === 'verify-ca' && !ca) {
    throw new Error(
      'sslmode=verify-ca requires sslrootcert, the certificate file of the CA to trust. For a public CA, use verify-full.',
    );
  }
  const encrypted: ConnectionOptions = { ...files, rejectUnauthorized: false };
  switch (mode) {
    case 'allow':
      return { ssl: false, sslOtherwise: encrypted };
    case 'prefer':
      return { ssl: encrypted, sslOtherwise: false };
    case 'verify-full':
      return { ssl: { ...files, rejectUnauthorized: true } };
    default:
      // With a root certificate, `require` means `verify-ca`.
      return {
        ssl: ca ? { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined } : encrypted,
      };
  }
}

function readMode(query: URLSearchParams, rootFile: string | undefined): Mode {
  const given = query.get('sslmode') || (/^(true|1)$/.test(query.get('ssl') ?? '') ? 'require' : undefined);
  if (rootFile === 'system') {
    if (given === undefined || given === 'verify-full') return 'verify-full';
    throw new Error('sslrootcert=system requires sslmode=verify-full.');
  }
  const mode = MODES.find((candidate) => candidate === (given ?? 'prefer'));
  if (!mode) throw new Error(`sslmode must be one of ${MODES.join(', ')}.`);
  return mode;
}

function readFileOf(name: string, query: URLSearchParams): string | undefined {
  const file = query.get(name);
  return file ? readPem(name, file) : undefined;
}

function readPem(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The ${name} file cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  if (!text.includes('-----BEGIN ')) throw new Error(`The ${name} file is not in PEM format.`);
  return text;
}

/** Otherwise an invalid file would fail later, on every connection, with a less clear message. */
function checkPem(files: ConnectionOptions): void {
  try {
    createSecureContext(files);
  } catch (error) {
    throw new Error(`An sslrootcert, sslcert or sslkey file cannot be used: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
