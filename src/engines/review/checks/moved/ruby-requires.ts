/** `require_relative`, `require` and `autoload` of moved files of Ruby. */
import { resolveScript } from '../../code/resolve-module.ts';
import { hasPathEnd, type Importer, type Moved, type Places, type Use } from './places.ts';

const RELATIVE = /^\s*require_relative\s*\(?\s*(["'])([^"'#]+)\1/;
const BY_LOAD_PATH = /^\s*(?:require\s*\(?\s*|autoload\s*\(?\s*:\w+\s*,\s*)(["'])([^"'#]+)\1/;
/** Folders in which Ruby, gems and test runners look for what is required. */
const LOAD_PATHS = /(^|\/)(lib|spec|test)\/$/;

export async function usesInRuby(places: Places, { facts, lines, path }: Importer): Promise<Use[]> {
  const found: Use[] = [];
  // Tests of tools have code in texts.
  const inCode = new Set([
    ...facts.imports.map(({ line }) => line),
    ...facts.uses.flatMap(({ lines: own }) => own),
  ]);
  for (const line of lines) {
    if (!inCode.has(line.line)) continue;
    const [relative, required] = [RELATIVE.exec(line.text)?.[2], BY_LOAD_PATH.exec(line.text)?.[2]];
    const meant =
      relative === undefined
        ? required === undefined
          ? undefined
          : brokenRequire(places, required)
        : brokenRelative(places, path, relative);
    if (meant) found.push({ moved: meant, line });
  }
  // The file handles that it is missing.
  const isOptional = found.length > 0 && /\bLoadError\b/.test((await places.code.read('head', path)) ?? '');
  return isOptional ? [] : found;
}

function brokenRelative({ head, moved }: Places, path: string, module: string): Moved | undefined {
  const [file] = resolveScript(path, module.startsWith('.') ? module : `./${module}`);
  const paths = file === undefined ? [] : [file, `${file}.rb`];
  return paths.some((each) => head.has(each)) ? undefined : paths.flatMap((each) => moved.get(each) ?? [])[0];
}

/** A name without a folder can be a gem or a part of Ruby. */
function brokenRequire({ byName, head }: Places, module: string): Moved | undefined {
  if (!module.includes('/') || module.startsWith('.')) return undefined;
  const file = module.endsWith('.rb') ? module : `${module}.rb`;
  const meant = byName
    .get(file.slice(file.lastIndexOf('/') + 1, -3))
    ?.find(({ from }) => from.endsWith(file) && LOAD_PATHS.test(from.slice(0, -file.length)));
  return meant && !hasPathEnd(head, file) ? meant : undefined;
}
