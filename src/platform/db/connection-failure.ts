/** Explains a failed connection and what to do about it, without ever showing the password. */
import { errorCode, StartFailure } from '../core/errors/start-failure.ts';
import type { Connection } from './connection.ts';

export function connectionFailure(connection: Connection, error: unknown): StartFailure {
  const hint = connection.setting ? ` (This is ${connection.setting}.)` : '';
  return new StartFailure('database_unreachable', `${describeFailure(connection, error)}${hint}`, error);
}

function describeFailure(connection: Connection, error: unknown): string {
  const { host, port, user, database } = connection;
  const server = `${host}${port ? `:${port}` : ''}`;
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const code = errorCode(first) ?? '';
  const message = (first as Error).message.replace(/\.$/, '');
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL server is running at ${server}. Start it, or correct the address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${host} cannot be resolved. Correct the address.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `PostgreSQL at ${server} is unreachable. Check the address and the firewall.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `The server at ${server} closed the connection. Check that it is PostgreSQL.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${server} rejected the user ${user ?? '(none given)'}: ${message}. Correct the user name and password.`;
    case '3D000':
      return `PostgreSQL at ${server} has no database ${database ?? user ?? '(none given)'}. Create it with createdb, or correct the name.`;
    case '53300':
      return `PostgreSQL at ${server} has no connections left: ${message}. Raise max_connections, or lower DATABASE_POOL_SIZE.`;
    case '42501':
      return `The user ${user ?? '(none given)'} is not allowed to create tables in the database: ${message}. Make it the owner of the database.`;
    case '25006':
      return `PostgreSQL at ${server} is read-only: it is a standby, or set to read-only. Use the address of the primary.`;
  }
  if (/^(timeout expired|Connection terminated due to connection timeout)/.test(message)) {
    return `PostgreSQL at ${server} did not respond in time. Check the address and the firewall.`;
  }
  if (message.startsWith('The server does not support SSL')) {
    return `PostgreSQL at ${server} does not support TLS. Enable TLS on the server, or use sslmode=disable on a trusted network.`;
  }
  if (isCertificateError(code)) {
    return `The TLS certificate of PostgreSQL at ${server} was rejected: ${message}. Correct sslrootcert, the host name or the certificate.`;
  }
  return `PostgreSQL at ${server} cannot be used: ${message}.`;
}

/** OpenSSL's verification error codes, and Node's own for a host name mismatch. */
function isCertificateError(code: string): boolean {
  return /CERT|SIGNED|_SIGNATURE|ISSUER/.test(code) && !code.startsWith('ERR_SSL');
}
