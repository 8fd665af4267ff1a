/** The HTTP routes that code and OpenAPI documents serve. */
import type { Extractor, FileSource } from '../../extractor.ts';
import { isTestPath } from '../../path-kinds.ts';
import { FactList } from '../fact-list.ts';
import { readCSharpRoutes } from './csharp.ts';
import { readGoRoutes } from './go.ts';
import { readJavaScriptRoutes } from './javascript.ts';
import { readJvmRoutes } from './jvm.ts';
import { readOpenApi } from './openapi.ts';
import { readPhpRoutes } from './php.ts';
import { readPythonRoutes } from './python.ts';
import { readRubyRoutes } from './ruby.ts';
import { readRustRoutes } from './rust.ts';

const READERS = new Map<string, (file: FileSource, facts: FactList) => void>([
  ['javascript', readJavaScriptRoutes],
  ['typescript', readJavaScriptRoutes],
  ['python', readPythonRoutes],
  ['go', readGoRoutes],
  ['java', readJvmRoutes],
  ['kotlin', readJvmRoutes],
  ['ruby', readRubyRoutes],
  ['csharp', readCSharpRoutes],
  ['rust', readRustRoutes],
  ['php', readPhpRoutes],
  ['json', (file, facts) => readOpenApi(file.path, file.text, facts)],
  ['yaml', (file, facts) => readOpenApi(file.path, file.text, facts)],
]);

export const routes: Extractor = {
  name: 'routes',
  accepts: (path, language) => language !== null && READERS.has(language) && !isTestPath(path),
  extract(file) {
    // Documents of large interfaces have a thousand routes.
    const facts = new FactList(1500);
    READERS.get(file.language ?? '')?.(file, facts);
    return facts.facts;
  },
};
