/**
 * Builds the program for a package: its 1,200 modules become a few files, because Node.js takes about a millisecond to find and link
 * each of them. They are all written to the top of the folder. `import.meta` of a module still names the place that the module has in
 * src, where the files read at run time and the entry points of processes and threads are.
 */
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { extractionVersion } from '../src/engines/facts/store/extraction-version.ts';

const SOURCE = join(import.meta.dirname, '..', 'src');
const PACKAGES = join(import.meta.dirname, '..', 'node_modules');

/** Files that are started or imported by their path. */
const ENTRIES = [
  'client/index.ts',
  ...globSync('**/{index,query,facts,extract,review}-process.ts', { cwd: SOURCE }),
  ...globSync('**/*-work-thread.ts', { cwd: SOURCE }),
];

/** Packages of many small modules that no other package shares with us. Their licenses go along. */
const INLINED = ['jose', 'kysely', 'yaml'];

export async function buildProgram(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(['main.ts', ...ENTRIES].map((file) => [nameOf(file), join(SOURCE, file)])),
    platform: 'node',
    treeshake: false,
    external: (id) => /^[^./\0]/.test(id) && !INLINED.includes(id.split('/', 1)[0]!),
    plugins: [keepPlaces, knownWhenBuilt],
  });
  // No code is removed: a call such as `decodeURI(text)`, made only to see whether it throws, would be taken for dead code.
  await bundle.write({ dir: folder, format: 'esm', minify: false });
  await bundle.close();
  for (const file of ENTRIES) {
    const place = join(folder, file.replace(/ts$/, 'js'));
    mkdirSync(dirname(place), { recursive: true });
    const built = relative(dirname(place), join(folder, `${nameOf(file)}.js`))
      .split(sep)
      .join('/');
    writeFileSync(place, `export * from '${built}';\n`);
  }
  for (const name of INLINED)
    for (const file of globSync('LICENSE*', { cwd: join(PACKAGES, name) }))
      cpSync(join(PACKAGES, name, file), join(folder, 'licenses', `${name}.txt`));
  for (const file of globSync('**/*.*', { cwd: SOURCE, exclude: ['**/*.ts'] }))
    cpSync(join(SOURCE, file), join(folder, file));
}

/** `client/index.ts` is built as `client`, `engines/search/query-process.ts` as `query-process`. */
const nameOf = (file: string) =>
  file.endsWith('/index.ts') ? basename(dirname(file)) : basename(file, '.ts');

const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.' },
    handler(code, id) {
      const place = relative(SOURCE, id).replace(/ts$/, 'js').split(sep).join('/');
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(place)}`)})`)
        .replaceAll('import.meta.filename', JSON.stringify(place))
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
    },
  },
};

/** Modules that read the source folder in a checkout. */
const knownWhenBuilt: Plugin = {
  name: 'known-when-built',
  load: {
    filter: { id: /\/(extraction-version|tool-files)\.ts$/ },
    handler(id) {
      if (id.endsWith('extraction-version.ts'))
        return `export const extractionVersion = () => ${extractionVersion()};`;
      const tools = globSync('tools/*.ts', { cwd: dirname(id) }).sort();
      return [
        ...tools.map((file, index) => `import * as tool${index} from './${file.split(sep).join('/')}';`),
        `export const TOOLS = [${tools.map((_, index) => `tool${index}`)}].flatMap((module) => Object.values(module));`,
      ].join('\n');
    },
  },
};

if (import.meta.main) await buildProgram(join(import.meta.dirname, '..', 'dist'));
