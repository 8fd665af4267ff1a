/** One check of the installation: what was found, and what to do about a problem. `countersign doctor` and the System page share them. */
import type { OperationSettings } from '../../context.ts';
import type { Db } from '../../platform/db/index.ts';

export interface CheckResult {
  state: 'good' | 'bad' | 'skipped';
  detail: string;
  /** Advice for the operator. */
  next?: string;
}

export interface CheckedHost {
  settings: OperationSettings;
  baseUrl: string;
  /** Where programs are found; default: as this process does. */
  searchPath?: string;
  /** Undefined if it can't be reached. */
  db: Db | undefined;
  /** Why it can't be reached, if known. */
  noDatabase?: string;
  /** For an admin, who may see only this organization's data; undefined for the operator, who sees all. */
  organizationId?: string;
}

export interface HostCheck {
  name: string;
  run(host: CheckedHost): Promise<CheckResult>;
}

export const good = (detail: string): CheckResult => ({ state: 'good', detail });
export const bad = (detail: string, next?: string): CheckResult => ({ state: 'bad', detail, next });
export const skipped = (detail: string): CheckResult => ({ state: 'skipped', detail });
export const NO_DATABASE = skipped('needs the database');

export const ANSWER_WITHIN_MS = 10_000;
