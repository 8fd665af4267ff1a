/** A PostgreSQL with TLS on a loopback port, with certificates generated for the test. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { chooseAccount } from '../../../src/platform/db/embedded/postgres-account.ts';
import { clusterFolder, folderArgument } from '../../../src/platform/db/embedded/postgres-cluster.ts';
import {
  findPostgresPackage,
  programFile,
  spawnAs,
} from '../../../src/platform/db/embedded/postgres-programs.ts';
import { startEmbeddedPostgres } from '../../../src/platform/db/index.ts';
import { freePort } from '../processes/free-port.ts';
import { temporaryFolder } from '../processes/real-processes.ts';
import { makeAuthority, makeCertificate } from '../servers/certificates.ts';

export interface TlsPostgres {
  port: number;
  password: string;
  /** Certificate files: the server's authority, an unrelated authority, and a client certificate with its key. */
  files: { authority: string; stranger: string; clientCertificate: string; clientKey: string };
  stop(): Promise<void>;
}

/** `names` are the server's names in certificate syntax: `DNS:localhost`. `hba` is the content of pg_hba.conf. */
export async function startTlsPostgres(names: string, hba: string[]): Promise<TlsPostgres> {
  const dir = temporaryFolder();
  chmodSync(dir, 0o711);
  const embedded = await startEmbeddedPostgres({
    dir,
    log: pino({ level: 'silent' }),
    settings: { fsync: 'off' },
  });
  await embedded.stop();
  const folder = clusterFolder(dir);
  const account = chooseAccount(folder);

  const own = join(folder, 'certificates');
  mkdirSync(own);
  const authority = makeAuthority(own, 'authority');
  const stranger = makeAuthority(own, 'stranger');
  makeCertificate(own, 'server', authority, names);
  const client = makeCertificate(own, 'countersign', authority, 'DNS:client');
  writeFileSync(join(own, 'pg_hba.conf'), `${hba.join('\n')}\n`);
  if (account) {
    chownSync(own, account.uid, account.gid);
    for (const file of ['server.pem', 'server.key', 'authority.pem', 'pg_hba.conf']) {
      chownSync(join(own, file), account.uid, account.gid);
    }
  }
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: 'certificates/server.pem',
    ssl_key_file: 'certificates/server.key',
    ssl_ca_file: 'certificates/authority.pem',
    hba_file: 'certificates/pg_hba.conf',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = programFile(findPostgresPackage(), 'postgres');
  const child = spawnAs(program, ['-D', folderArgument(folder), ...args], {
    account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(child);
  return {
    port,
    password: embedded.connection.password,
    files: {
      authority: authority.certificate,
      stranger: stranger.certificate,
      clientCertificate: client.certificate,
      clientKey: client.key,
    },
    stop: async () => {
      child.kill('SIGQUIT');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((settle, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) settle();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
}
