/** This node's mirrors with their dependencies, for the service and for commands that fetch. */
import type { Config } from './config.ts';
import {
  createCodeHosts,
  type HostServices,
  hostAddressOf,
  systemEnvironment,
} from './features/code-hosts/index.ts';
import { createNodeCode, type NodeCode } from './features/mirrors/index.ts';
import { linkNamedVersions } from './features/plans/index.ts';
import { selectRecordedCommits } from './features/pull-requests/index.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import type { Db } from './platform/db/index.ts';

export function openMirrors(services: {
  config: Config;
  db: Db;
  log: Log;
  secrets: SecretBox;
  announce(topic: string): void;
  /** Default: its own, for commands that run beside the service. */
  codeHosts?: HostServices['codeHosts'];
  /** Default: facts of new commits are extracted. */
  extract?: Parameters<typeof createNodeCode>[0]['extract'];
}): NodeCode {
  const { config, ...rest } = services;
  const codeHosts = services.codeHosts ?? createCodeHosts(systemEnvironment(config.allowPrivateAddresses));
  return createNodeCode({
    ...rest,
    settings: config,
    onRefreshed: linkNamedVersions,
    keptCommits: selectRecordedCommits,
    hostAddress: (repositoryId, signal) => hostAddressOf({ ...rest, codeHosts }, repositoryId, signal),
  });
}
