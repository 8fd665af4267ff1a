/** What a failed connection means, in a sentence that says what to do and never shows the password. */
import { errorCode, StartFailure } from '../core/start-failure.ts';
import type { Connection } from './connection.ts';

export function connectionFailure(connection: Connection, error: unknown): StartFailure {
  const hint = connection.setting ? ` (This is ${connection.setting}.)` : '';
  return new StartFailure('database_unreachable', `${sentenceFor(connection, error)}${hint}`, error);
}

function sentenceFor(connection: Connection, error: unknown): string {
  const { host, port, user, database } = connection;
  const place = `${host}${port ? `:${port}` : ''}`;
  const first = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const code = errorCode(first) ?? '';
  const message = (first as Error).message.replace(/\.$/, '');
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL answers at ${place}. Start it, or correct the address.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${host} cannot be resolved. Correct the address.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `PostgreSQL at ${place} cannot be reached over the network. Check the address and the firewall.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `What answers at ${place} closed the connection. Check that PostgreSQL runs there.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${place} refuses the user ${user ?? '(none given)'}: ${message}. Correct user and password.`;
    case '3D000':
      return `PostgreSQL at ${place} has no database ${database ?? user ?? '(none given)'}. Create it with createdb, or correct the name.`;
    case '53300':
      return `PostgreSQL at ${place} has no connection left: ${message}. Raise max_connections, or lower DATABASE_POOL_SIZE.`;
    case '42501':
      return `The user ${user ?? '(none given)'} may not make tables in the database: ${message}. Make it the owner of the database.`;
    case '25006':
      return `PostgreSQL at ${place} takes no writes: it is a standby, or set to read-only. Use the address of the primary.`;
  }
  if (/^(timeout expired|Connection terminated due to connection timeout)/.test(message)) {
    return `PostgreSQL at ${place} did not answer in time. Check the address and the firewall.`;
  }
  if (message.startsWith('The server does not support SSL')) {
    return `PostgreSQL at ${place} does not speak TLS. Turn it on there, or use sslmode=disable on a network that you trust.`;
  }
  if (isAboutTheCertificate(code)) {
    return `The TLS certificate of PostgreSQL at ${place} is not accepted: ${message}. Correct sslrootcert and the host name, or the certificate.`;
  }
  return `PostgreSQL at ${place} cannot be used: ${message}.`;
}

/** The codes of OpenSSL's verification, and Node's own for a wrong name. */
function isAboutTheCertificate(code: string): boolean {
  return /CERT|SIGNED|_SIGNATURE|ISSUER/.test(code) && !code.startsWith('ERR_SSL');
}
