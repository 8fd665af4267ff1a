/** Parts that the payloads of several hosts' webhooks have in common. */
import { z } from 'zod';

/** A repository's full name; what has control characters is none, and PostgreSQL can't store all of them. */
export const repositoryNameShape = z
  .string()
  .min(3)
  .max(1000)
  .regex(/^\P{Cc}*$/u);

export const idShape = z.number().int().nullish().catch(null);

/** A full commit ID. */
export const commitShape = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** The number of a pull request. */
export const numberShape = z.number().int().positive().max(2_147_483_647);
