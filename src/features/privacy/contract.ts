/** The shapes of exports. */
import { z } from 'zod';

export const ExportOrganizationInput = z.object({});
export const OrganizationExport = z
  .string()
  .describe('JSON lines: the first describes the export, the last has the number of rows.');
