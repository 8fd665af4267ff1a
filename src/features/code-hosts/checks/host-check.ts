/** The services that checking a code host needs, and the input of each step of a check. */
import type { CodeHost, CodeHosts } from '../../../engines/code-hosts/index.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { HostToCheck } from '../connections/host-check-store.ts';

export interface HostCheckServices {
  db: Db;
  secrets: SecretBox;
  codeHosts: Pick<CodeHosts, 'open'>;
  log: Log;
  now(): Date;
  announce(topic: string): void;
  baseUrl(): string;
}

export interface HostCheck extends HostCheckServices {
  host: CodeHost;
  row: HostToCheck;
  signal: AbortSignal;
}
