/** A database URL is read like libpq reads it: its parts, its TLS options, and real TLS connections. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { urlOf } from '../../../test/helpers/database/database.ts';
import { startTlsPostgres, type TlsPostgres } from '../../../test/helpers/database/tls-postgres.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { StartFailure } from '../core/errors/start-failure.ts';
import { connectionFromUrl } from './connection.ts';
import { openDatabase, withConnection } from './database.ts';

afterAll(cleanUp);

function mistake(url: string): string {
  try {
    connectionFromUrl(url);
  } catch (error) {
    expect(error).toBeInstanceOf(StartFailure);
    expect((error as StartFailure).kind).toBe('database_unreachable');
    return (error as Error).message;
  }
  return expect.fail('it was understood');
}

const partsOf = (url: string) => {
  const { ssl, sslOtherwise, setting, ...parts } = connectionFromUrl(url);
  return parts;
};

describe('parts', () => {
  it.each([
    ['postgres://u:p@h:6543/d', { user: 'u', password: 'p', host: 'h', port: 6543, database: 'd' }],
    ['postgresql://h/d', { host: 'h', database: 'd' }],
    ['postgres://h', { host: 'h' }],
    ['postgres:///d', { host: 'localhost', database: 'd' }],
    ['postgres://u@h/d', { user: 'u', host: 'h', database: 'd' }],
    ['postgres://[::1]:5433/d', { host: '::1', port: 5433, database: 'd' }],
    [
      'postgres://u:p%40s%2Fs%3Aw%23%25%20+%C3%A9@h/d',
      { user: 'u', password: 'p@s/s:w#% +é', host: 'h', database: 'd' },
    ],
    ['postgres://u:p@ss@h/d', { user: 'u', password: 'p@ss', host: 'h', database: 'd' }],
    ['postgres://u%40corp:p@h/my%20db', { user: 'u@corp', password: 'p', host: 'h', database: 'my db' }],
    [
      'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/d',
      { user: 'u', password: 'p', host: '/var/run/postgresql', database: 'd' },
    ],
    [
      'postgres://u:p@/d?host=/run/pg&port=5433',
      { user: 'u', password: 'p', host: '/run/pg', port: 5433, database: 'd' },
    ],
    [
      'postgres:///?host=h&user=u&password=a%2Bb+c&dbname=d',
      { host: 'h', user: 'u', password: 'a+b+c', database: 'd' },
    ],
    [
      'postgres://h/d?options=-c%20search_path%3Dx',
      { host: 'h', database: 'd', options: '-c search_path=x' },
    ],
  ])('%s', (url, expected) => {
    expect(partsOf(url)).toEqual(expected);
  });

  it.each([
    'postgres://u:pa/ss@h/d',
    'postgres://u:pa#ss@h/d',
    'postgres://u:12/34@h/d',
    'postgres://u:p@h1,h2/d',
    'postgres://h:port/d',
    'postgres://h/d/e',
    'postgres:h',
  ])('%s is rejected with a hint about percent-encoding, without the password', (url) => {
    const said = mistake(url);
    expect(said).toMatch(/Percent-encode special characters .*: @ as %40/);
    for (const secret of ['pa', 'ss@', '12', '34'])
      expect(said.replaceAll(/password|host:5432|@ as.*/g, '')).not.toContain(secret);
  });

  it('invalid percent-encoding and invalid ports have their own messages', () => {
    expect(mistake('postgres://u:50%@h/d')).toBe(
      'DATABASE_URL cannot be used. The percent-encoding of its password is invalid; write a literal % as %25.',
    );
    expect(mistake('postgres://h:70000/d')).toContain('Its port is not a number from 1 to 65535.');
  });

  it('any user, password and name survive being written into a URL', () => {
    const word = fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(word, word, word, (user, password, database) => {
        const url = `postgres://${[user, password].map(encodeURIComponent).join(':')}@h/${encodeURIComponent(database)}`;
        expect(partsOf(url)).toEqual({ user, password, host: 'h', database });
      }),
    );
  });

  it('never crashes, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        try {
          connectionFromUrl(`postgres://${text}`);
        } catch (error) {
          expect(error).toBeInstanceOf(StartFailure);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('TLS options', () => {
  const unverified = { rejectUnauthorized: false };
  const tlsOf = (query: string, host = 'h') => {
    const { ssl, sslOtherwise } = connectionFromUrl(`postgres://${host}/d${query}`);
    return { ssl, sslOtherwise };
  };

  it.each([
    ['', { ssl: unverified, sslOtherwise: false }],
    ['?sslmode=prefer', { ssl: unverified, sslOtherwise: false }],
    ['?sslmode=allow', { ssl: false, sslOtherwise: unverified }],
    ['?sslmode=disable', { ssl: false }],
    ['?sslmode=require', { ssl: unverified }],
    ['?ssl=true', { ssl: unverified }],
    ['?sslmode=verify-full', { ssl: { rejectUnauthorized: true } }],
    ['?sslrootcert=system', { ssl: { rejectUnauthorized: true } }],
  ])('"%s"', (query, expected) => {
    expect(tlsOf(query)).toEqual({ sslOtherwise: undefined, ...expected });
  });

  it('are ignored for a Unix socket', () => {
    expect(tlsOf('?sslmode=verify-full', '%2Frun%2Fpg')).toEqual({ ssl: false, sslOtherwise: undefined });
  });

  it.each([
    ['?sslmode=strict', 'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full.'],
    ['?sslmode=verify-ca', 'sslmode=verify-ca requires sslrootcert'],
    ['?sslmode=require&sslrootcert=system', 'sslrootcert=system requires sslmode=verify-full.'],
    ['?sslmode=require&sslcert=/dev/null', 'The sslcert file is not in PEM format.'],
    ['?sslmode=require&sslrootcert=/no/such.pem', 'The sslrootcert file cannot be read'],
  ])('"%s" is rejected', (query, sentence) => {
    expect(mistake(`postgres://h/d${query}`)).toContain(sentence);
  });

  it('a file that is not a certificate is rejected immediately', () => {
    const file = join(temporaryFolder(), 'key.pem');
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n');
    const url = `postgres://h/d?sslmode=require&sslcert=${file}`;
    expect(mistake(`${url}&sslkey=${file}`)).toContain(
      'An sslrootcert, sslcert or sslkey file cannot be used',
    );
    expect(mistake(url)).toContain('sslcert and sslkey must be set together.');
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.runIf(hasOpenssl)('a real TLS connection', () => {
  let server: TlsPostgres;
  const HBA = [
    'hostssl all countersign 127.0.0.1/32 scram-sha-256',
    'hostssl all certified 127.0.0.1/32 cert',
    'hostnossl all plain 127.0.0.1/32 scram-sha-256',
  ];

  beforeAll(async () => {
    server = await startTlsPostgres('DNS:localhost', HBA);
  });
  afterAll(() => server?.stop());

  /** Whether the connection of the pool that was opened is encrypted, or the sentence about why there is none. */
  async function attempt(
    query: string,
    options: { host?: string; user?: string } = {},
  ): Promise<boolean | string> {
    const { host = 'localhost', user = 'countersign' } = options;
    const url = `postgres://${user}:${server.password}@${host}:${server.port}/countersign${query}`;
    try {
      const database = await openDatabase(connectionFromUrl(url), {
        poolSize: 1,
        onConnectionLost: () => undefined,
      });
      await database.close();
      return await withConnection(database.connection, async (client) => {
        const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
        return rows[0].ssl as boolean;
      });
    } catch (error) {
      expect(error).toMatchObject({ kind: 'database_unreachable' });
      expect((error as Error).message).not.toContain(server.password);
      return (error as Error).message;
    }
  }

  it('is used by default, with prefer, allow and require, whatever the certificate', async () => {
    for (const query of ['', '?sslmode=prefer', '?sslmode=allow', '?sslmode=require', '?ssl=true']) {
      expect(await attempt(query), query).toBe(true);
    }
  });

  it('is refused by the server when it is disabled', async () => {
    expect(await attempt('?sslmode=disable')).toMatch(
      /rejected the user countersign: no pg_hba\.conf entry .*no encryption/,
    );
  });

  it('verify-full and verify-ca work with the right authority', async () => {
    const { authority } = server.files;
    for (const mode of ['verify-full', 'verify-ca', 'require']) {
      expect(await attempt(`?sslmode=${mode}&sslrootcert=${authority}`), mode).toBe(true);
    }
  });

  it('verify-full, verify-ca and require reject an unknown certificate with a clear message', async () => {
    for (const mode of ['verify-full', 'verify-ca', 'require']) {
      expect(await attempt(`?sslmode=${mode}&sslrootcert=${server.files.stranger}`), mode).toMatch(
        /^The TLS certificate of PostgreSQL at localhost:\d+ was rejected: .*\. Correct sslrootcert,.* \(This is DATABASE_URL\.\)$/,
      );
    }
    expect(await attempt('?sslmode=verify-full')).toMatch(/certificate .* was rejected/);
  });

  it('verify-full checks the name, even for an IP address; verify-ca does not', async () => {
    const { authority } = server.files;
    const host = '127.0.0.1';
    expect(await attempt(`?sslmode=verify-full&sslrootcert=${authority}`, { host })).toMatch(
      /certificate .* was rejected: .*127\.0\.0\.1/,
    );
    expect(await attempt(`?sslmode=verify-ca&sslrootcert=${authority}`, { host })).toBe(true);
  });

  it('without require, a server without TLS is used without it', async () => {
    const owner = `postgres://countersign:${server.password}@localhost:${server.port}/countersign?sslmode=require`;
    await withConnection(connectionFromUrl(owner), (client) =>
      client.query(`CREATE ROLE plain LOGIN PASSWORD '${server.password}'`),
    );
    for (const query of ['', '?sslmode=prefer', '?sslmode=allow', '?sslmode=disable']) {
      expect(await attempt(query, { user: 'plain' }), query).toBe(false);
    }
    expect(await attempt('?sslmode=require', { user: 'plain' })).toMatch(
      /no pg_hba\.conf entry .*SSL encryption/,
    );
  });

  it('a client certificate is sent to a server that requests one', async () => {
    const { authority, clientCertificate, clientKey } = server.files;
    const client = `sslcert=${clientCertificate}&sslkey=${clientKey}`;
    const said = await attempt(`?sslmode=verify-full&sslrootcert=${authority}&${client}`, {
      user: 'certified',
    });
    // The name in the certificate is another one, which only a server that read it can say.
    expect(said).toMatch(/certificate authentication failed for user "certified"/);
    expect(await attempt('?sslmode=require', { user: 'certified' })).toMatch(
      /requires a valid client certificate/,
    );
  });
});

describe('a unix socket', () => {
  const server = inject('postgres');

  it.runIf(server.host.startsWith('/'))('is used without TLS, whatever sslmode says', async () => {
    const url = `${urlOf(server)}&sslmode=verify-full`;
    const options = { poolSize: 1, onConnectionLost: () => undefined };
    const database = await openDatabase(connectionFromUrl(url), options);
    await database.ping(5000);
    await database.close();
  });
});
