/** How to connect to PostgreSQL: parsed from DATABASE_URL like libpq does, or provided by the embedded server. */
import type { ConnectionOptions } from 'node:tls';
import { StartFailure } from '../core/errors/start-failure.ts';
import { readTls, type Tls } from './connection-tls.ts';

export interface Connection {
  /** A host name, an IP address, or the folder of a Unix socket. */
  host: string;
  port?: number;
  user?: string;
  password?: string;
  database?: string;
  ssl?: ConnectionOptions | false;
  /** Tried when the first attempt is rejected: `sslmode=prefer` falls back to no TLS, `allow` to TLS. */
  sslOtherwise?: ConnectionOptions | false;
  /** Server settings for each connection, such as `-c search_path=review`. */
  options?: string;
  /** The setting it comes from, for messages. */
  setting?: string;
}

const URL_FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^/?#]*))?@)?(?<host>\[[^\]/?#]*\]|[^:@/?#,]*)(?::(?<port>\d*))?(?:\/(?<database>[^/?#@]*))?(?:\?(?<query>[^#]*))?$/;

/** Reads a URL such as postgres://user:pass@host:5432/name?sslmode=verify-full&sslrootcert=/path/ca.pem. */
export function connectionFromUrl(url: string): Connection {
  const parts = URL_FORM.exec(url.trim())?.groups;
  if (!parts) {
    throw unusable(
      'It must look like postgres://user:password@host:5432/dbname, with one host. Percent-encode special characters in the user, password and database name: @ as %40, / as %2F, : as %3A, # as %23.',
    );
  }
  // A plus sign is literal here, not a space as in web forms.
  const query = new URLSearchParams(parts.query?.replaceAll('+', '%2B'));
  const decoded = (name: 'user' | 'password' | 'host' | 'database', parameter: string = name) =>
    query.get(parameter) || decode(parts[name]?.replace(/^\[(.*)\]$/, '$1') ?? '', parameter);
  const host = decoded('host') || 'localhost';
  const port = query.get('port') || parts.port;
  if (port && !(Number(port) >= 1 && Number(port) <= 65_535))
    throw unusable('Its port is not a number from 1 to 65535.');
  return {
    setting: 'DATABASE_URL',
    host,
    ...(port && { port: Number(port) }),
    ...present('user', decoded('user')),
    ...present('password', decoded('password')),
    ...present('database', decoded('database', 'dbname')),
    ...present('options', query.get('options')),
    ...tlsOf(host, query),
  };
}

function present<Name extends string>(name: Name, value: string | null) {
  return (value ? { [name]: value } : {}) as { [Key in Name]?: string };
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable(`The percent-encoding of its ${name} is invalid; write a literal % as %25.`);
  }
}

function tlsOf(host: string, query: URLSearchParams): Tls {
  try {
    return readTls(host, query);
  } catch (error) {
    throw unusable((error as Error).message, error);
  }
}

function unusable(reason: string, cause?: unknown): StartFailure {
  return new StartFailure('database_unreachable', `DATABASE_URL cannot be used. ${reason}`, cause);
}
