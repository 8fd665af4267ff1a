/** The HTTP calls that code makes, as far as their paths are written in it. */
import type { Extractor, FileSource } from '../../extractor.ts';
import { isTestPath } from '../../path-kinds.ts';
import { FactList } from '../fact-list.ts';
import { readGoCalls } from './go.ts';
import { readJavaScriptCalls } from './javascript.ts';
import { readJvmCalls } from './jvm.ts';
import { readCSharpCalls, readPhpCalls, readRubyCalls } from './other.ts';
import { readPythonCalls } from './python.ts';

const READERS = new Map<string, (file: FileSource, facts: FactList) => void>([
  ['javascript', readJavaScriptCalls],
  ['typescript', readJavaScriptCalls],
  ['python', readPythonCalls],
  ['go', readGoCalls],
  ['java', readJvmCalls],
  ['kotlin', readJvmCalls],
  ['csharp', readCSharpCalls],
  ['ruby', readRubyCalls],
  ['php', readPhpCalls],
]);

export const httpCalls: Extractor = {
  name: 'http calls',
  accepts: (path, language) => language !== null && READERS.has(language) && !isTestPath(path),
  extract(file) {
    const facts = new FactList();
    READERS.get(file.language ?? '')?.(file, facts);
    return facts.facts;
  },
};
