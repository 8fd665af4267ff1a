/**
 * The application name of a node's listening connection in PostgreSQL. It shows which nodes are alive without any reporting: a node
 * that dies loses its connection.
 */
import { hostname } from 'node:os';
import { packageVersion } from '../core/text/package-version.ts';

const PREFIX = 'countersign node';
/** PostgreSQL cuts longer names. */
const MAX_CHARACTERS = 63;

export interface NodeName {
  roles: string[];
  version: string;
  host: string;
}

export function nameNode(roles: readonly string[]): string {
  const host = hostname().replace(/[^\x21-\x7e]/g, '?');
  return `${PREFIX} ${roles.join(',')} ${packageVersion()} ${host}`.slice(0, MAX_CHARACTERS);
}

export const NODE_NAMES = `${PREFIX} %`;

export function readNodeName(name: string): NodeName {
  const [roles = '', version = '', host = ''] = name.slice(PREFIX.length + 1).split(' ');
  return { roles: roles.split(','), version, host };
}
