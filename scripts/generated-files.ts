/** Every file that `npm run generate` writes, with its content. */

import { operations } from '../src/operations.ts';
import { PROBLEMS } from '../src/platform/core/errors/errors.ts';
import { EXIT_CODES } from '../src/platform/core/errors/start-failure.ts';
import type { Operation } from '../src/platform/core/operations/operation.ts';
import type { Log } from '../src/platform/core/telemetry/log.ts';
import { describeSchema } from '../src/platform/db/describe-schema.ts';
import { type Connection, migrate, withConnection } from '../src/platform/db/index.ts';
import { SETTINGS } from '../src/settings/index.ts';
import { renderClient } from './render-client.ts';
import { renderApi, renderConfiguration, renderErrors, renderExitCodes } from './render-docs.ts';
import { renderIntegrations } from './render-integrations.ts';
import { renderMcpTools } from './render-mcp-tools.ts';
import { renderPagePaths } from './render-page-paths.ts';
import { renderOperationTypes, renderWebClient } from './render-web-client.ts';

/** File contents by path, relative to the project. Migrates the database, which must be empty and unused. */
export async function generatedFiles(connection: Connection, log: Log): Promise<Map<string, string>> {
  await migrate(connection, log);
  const schema = await withConnection(connection, describeSchema);
  return new Map([
    ['docs/api.md', renderApi(operations as readonly Operation[])],
    ['docs/configuration.md', renderConfiguration(SETTINGS)],
    ['docs/errors.md', renderErrors(PROBLEMS)],
    ['docs/mcp-tools.md', renderMcpTools()],
    ['docs/exit-codes.md', renderExitCodes(EXIT_CODES)],
    ['src/client/index.ts', renderClient(operations as readonly Operation[])],
    ['src/operation-types.ts', renderOperationTypes(operations as readonly Operation[])],
    ['web/api/operations.ts', renderWebClient(operations as readonly Operation[])],
    ['src/transports/http/page-paths.ts', await renderPagePaths()],
    ['src/platform/db/schema.ts', schema.types],
    ['src/platform/db/schema.txt', schema.description],
    ...renderIntegrations(),
  ]);
}
