/** The shapes of a difference, as the service sends them. */
import type { z } from 'zod';
import type * as contract from '../../../../src/features/pull-requests/contract.ts';

export type FileDiff = z.output<typeof contract.FileDiff>;
export type ChangedFile = z.output<typeof contract.ChangedFile>;
export type Side = 'old' | 'new';
