/** Resolves an import to files of a commit, by the rules of its language; empty when it can't be said. */

const SCRIPT_ENDINGS = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.vue',
  '.svelte',
];

/** `./view` can mean `./view.web.ts` on one platform and `./view.native.ts` on another. */
const PLATFORM_ENDINGS = ['web', 'native', 'ios', 'android'].flatMap((platform) =>
  ['.ts', '.tsx', '.js', '.jsx'].map((ending) => `.${platform}${ending}`),
);

export function isScript(language: string | null): boolean {
  return language === 'typescript' || language === 'tsx' || language === 'javascript';
}

/** Only relative imports: others go through settings that a review doesn't read. */
export function resolveScript(from: string, module: string): string[] {
  if (!/^\.\.?(\/|$)/.test(module)) return [];
  const path = join(folderOf(from), module);
  if (path === undefined) return [];
  const bare = path.replace(/\.(js|jsx|mjs|cjs|ts|tsx|mts|cts)$/, '');
  return [
    path,
    ...SCRIPT_ENDINGS.flatMap((ending) => [`${path}${ending}`, `${bare}${ending}`, `${path}/index${ending}`]),
    ...PLATFORM_ENDINGS.map((ending) => `${path}${ending}`),
  ];
}

/** `~/a/b` and `@app/a/b`: what follows the first part is the end of the file's path, or of a folder that it is in. */
export function meansAlias(module: string, path: string): boolean {
  // `#polyfills` and `~/polyfills`.
  const slash = module.includes('/') ? module.indexOf('/') : /^[#~]\w/.test(module) ? 0 : -1;
  if (slash === -1) return false;
  const bare = path.replace(/(\/index)?(\.d)?\.[a-z]+$/, '');
  // Aliases of workspaces leave out the folders that every package has.
  const short = bare.replaceAll(/(^|\/)((src|lib|app)\/)+/g, '$1');
  const ends = [module, module.slice(slash + 1), module.replace(/^[#~]\/?/, '')];
  return [bare, short].some((each) =>
    ends.some((end) => each === end || each.endsWith(`/${end}`) || `/${each}`.includes(`/${end}/`)),
  );
}

/** `a.b` and `..b`; an absolute module can be below any folder, so the end of the path decides. */
export function meansPythonFile(from: string, module: string, path: string): boolean {
  const dots = /^\.*/.exec(module)![0].length;
  const parts = module.slice(dots).split('.').filter(Boolean);
  if (dots > 0) {
    const up = '../'.repeat(dots - 1);
    const target = join(folderOf(from), `${up}${parts.join('/')}` || '.');
    return target !== undefined && (path === `${target}.py` || path === joinParts(target, '__init__.py'));
  }
  const end = parts.join('/');
  // One name is a module beside a script, or at the top of the sources.
  if (parts.length < 2)
    return [folderOf(from), '', 'src/'].some((folder) =>
      [`${folder}${end}.py`, `${folder}${end}/__init__.py`].includes(path),
    );
  return [`${end}.py`, `${end}/__init__.py`].some((file) => path === file || path.endsWith(`/${file}`));
}

/** `example.com/module/pkg/name` means the folder `pkg/name`. */
export function meansGoFolder(module: string, folder: string): boolean {
  const bare = folder.replace(/\/$/, '').replace(/^staging\/src\//, '');
  return bare !== '' && (module === bare || module.endsWith(`/${bare}`));
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Undefined when it leaves the repository. */
function join(folder: string, relative: string): string | undefined {
  const parts = folder.split('/').filter(Boolean);
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function joinParts(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
