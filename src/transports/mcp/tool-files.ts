/** Imports every file in `tools/`, each of which exports one tool. A package has a list of them instead, made when it is built. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolDefinition } from './tool.ts';

const FOLDER = join(import.meta.dirname, 'tools');

export const TOOLS: readonly ToolDefinition[] = (
  await Promise.all(
    readdirSync(FOLDER)
      .sort()
      .map((file) => import(pathToFileURL(join(FOLDER, file)).href)),
  )
).flatMap((module) => Object.values(module));
