/** Decides whether a word of a plan is the path of a file: `./src/a.ts:12-30` is `src/a.ts`, `and/or` is none. */

export const MAX_PATH_CHARACTERS = 400;

/** File extensions that rarely mean anything else, so a name without a folder counts. */
const ENDINGS =
  wordsOf(`ts tsx mts cts js jsx mjs cjs json jsonc json5 jsonl ndjson vue svelte astro html htm css scss sass
  less styl md mdx markdown rst adoc txt csv tsv xml yml yaml toml ini cfg conf properties py pyi ipynb rb erb rake gemspec
  go rs java kt kts groovy gradle scala sbt clj cljs ex exs erl hrl hs elm ml mli fs fsx fsproj cs csproj sln vb swift mm dart
  php phtml twig blade pl pm lua jl nim zig cpp cc cxx hpp hh hxx c h cu proto graphql gql prisma sql psql sh bash zsh fish ps1
  bat cmd tf tfvars hcl bicep rego cue dockerfile mk cmake bazel bzl nix lock sum mod svg png jpg jpeg gif webp ico pdf woff
  woff2 ttf wasm plist xib storyboard pbxproj xcconfig entitlements hbs ejs pug liquid mustache njk snap feature po pot
  service tmpl tpl j2 avsc thrift sol vy move cairo`);
/** File extensions that are also words, object members or domains: they count only after a folder. */
const ENDINGS_BEHIND_FOLDER =
  wordsOf(`env log map key pem crt cert patch diff bak d m r s v f zip gz tgz tar jar war class so
  dll exe bin dat db sqlite sqlite3 out test spec in ac am rules template example sample local default dist mp3 mp4 wav webm
  ics ps eps doc docx xls xlsx ppt pptx gitkeep keep stories resx xaml razor cshtml vbs asm inc def stub`);

/** Names without an extension that are always files. */
const NAMES =
  wordsOf(`Dockerfile Containerfile Makefile GNUmakefile Jenkinsfile Procfile Gemfile Rakefile Vagrantfile Brewfile
  Caddyfile Tiltfile Podfile Cartfile Fastfile Appfile Guardfile Pipfile Justfile Earthfile Berksfile Capfile Dangerfile
  CODEOWNERS`);
/** Names that are also words: they count only in code or after a folder. */
const NAMES_IN_CODE = wordsOf(
  'LICENSE README CHANGELOG NOTICE AUTHORS CONTRIBUTING COPYING makefile justfile BUILD WORKSPACE VERSION',
);
const NAME_WITH_VARIANT = /^(?:Dockerfile|Containerfile|Makefile|Jenkinsfile|Procfile)[.-][\w.-]{1,60}$/;
const DOT_FILES =
  wordsOf(`.gitignore .gitattributes .gitmodules .gitkeep .mailmap .dockerignore .npmignore .npmrc .nvmrc .yarnrc
  .env .envrc .editorconfig .eslintrc .eslintignore .prettierrc .prettierignore .babelrc .swcrc .stylelintrc .browserslistrc
  .htaccess .bashrc .zshrc .profile .python-version .node-version .ruby-version .tool-versions .flake8 .pylintrc .coveragerc
  .rspec .clang-format .clang-tidy .bazelrc .cursorrules .windsurfrules .helmignore .vercelignore .gcloudignore .rgignore`);
const DOT_FOLDERS =
  wordsOf(`.git .github .gitlab .vscode .idea .husky .claude .cursor .codex .next .nuxt .venv .circleci .config
  .ssh .cache .npm .bin .storybook .changeset .devcontainer .well-known .aws .kube .docker .yarn .turbo .vercel`);
const DOT_CONFIGURATION = /^\.[a-z][\w-]*(?:\.[\w-]+)*\.(?:json|jsonc|json5|ya?ml|toml)$/;
const DOT_RC_SCRIPT = /^\.[a-z][\w-]*rc\.(?:[cm]?js|[cm]?ts)$/;
/** `.test.ts`, `.config.json`: a group of files. */
const ENDING_OF_A_GROUP = /^\.(?:test|spec|config|schema|module|stories|min|d|lock|e2e)\./;

/** Software with a name that looks like a file. */
const SOFTWARE =
  wordsOf(`node.js next.js nuxt.js vue.js react.js angular.js express.js nest.js three.js d3.js chart.js ember.js
  backbone.js moment.js day.js alpine.js solid.js preact.js svelte.js gatsby.js meteor.js discord.js p5.js web3.js ethers.js
  babylon.js pixi.js highlight.js prism.js video.js handlebars.js require.js underscore.js fabric.js asm.js koa.js hapi.js
  socket.io bun.sh docs.rs lib.rs crates.io tensorflow.js transformers.js ml.js matter.js anime.js hono.js redux.js knockout.js
  mapbox-gl.js leaflet.js electron.js sails.js adonis.js fastify.js polymer.js`);
/** There is more than can be listed: outside of code, a name such as `Mermaid.js` is treated as software. */
const CAPITALIZED_SCRIPT = /^[A-Z][a-z0-9]*\.js$/;
/** `response.json` and the like are members of an object. */
const OBJECTS = wordsOf(
  'res req response request resp reply result body ctx context this self console fetch event e r',
);
const MEMBERS = wordsOf('json html txt md xml css js sql go h c');

const SITE =
  /^(?:localhost|(?:[\w-]+\.)+(?:com|org|net|io|dev|app|ai|co|gov|edu|me|so|us|uk|de|eu|xyz|cloud|internal|local|land|page))$/i;
const SYSTEM_FOLDERS = wordsOf(
  'Users home etc usr var tmp opt root private mnt proc sys dev srv Library Applications',
);

const OF_LINE_NUMBERS = new Set('0123456789L:,()-');
/** The characters of a path: no globs, placeholders, variables or home folder. */
const PATH = /^[\p{L}\p{N}_.+$@()[\]/-]+$/u;
const UNKNOWN_ENDING = /^[a-z][a-z0-9]{1,9}$/;

/** The files that a word names: usually none, two for `a.ts/b.ts`. `inCode`: it is in backticks. */
export function filesOfWord(word: string, inCode: boolean): string[] {
  if (word.length > MAX_PATH_CHARACTERS + 100) return [];
  const plain = withoutLines(trimmed(unescaped(word, inCode), inCode));
  const colon = plain.lastIndexOf(':');
  if (colon < 0) return filesOfPath(plain, inCode);
  const behind = plain.slice(colon + 1);
  const found = /^\d/.test(behind) ? [] : filesOfPath(behind, inCode);
  if (found.length > 0) return found;
  return filesOfPath(plain.slice(0, plain.indexOf(':')), inCode);
}

/** Text that is known to be a path, as in the header of a patch; null if it can't be one. */
export function certainPath(path: string): string | null {
  const plain = path.replace(/^(?:\.\/)+/, '');
  if (!isPath(plain) || plain.startsWith('/')) return null;
  return plain;
}

function filesOfPath(path: string, inCode: boolean): string[] {
  const plain = inRepository(path.replace(/^(?:\.\/)+/, ''));
  if (plain === null || !isPath(plain)) return [];
  const segments = plain.split('/');
  if (segments.length === 1) return isFileName(plain, inCode) ? [plain] : [];
  if (SITE.test(segments[0]!)) return [];
  if (segments[0] !== '' && isFileName(segments[0]!, false)) {
    return segments.filter((segment) => isFileName(segment, inCode));
  }
  return isFileInFolder(segments, inCode) ? [plain] : [];
}

/** Without the leading slash, unless it is a system folder; null for a path on a web server. */
function inRepository(path: string): string | null {
  if (!path.startsWith('/')) return path;
  const first = path.slice(1).split('/', 1)[0]!;
  if (first === 'api') return null;
  return SYSTEM_FOLDERS.has(first) ? path : path.slice(1);
}

function isPath(path: string): boolean {
  if (path === '' || path.length > MAX_PATH_CHARACTERS || !PATH.test(path)) return false;
  if (/^[@$+]|[^/]@|\/\/|\/$|\(\)|\$[({]/.test(path)) return false;
  if (/(?:^|\/)\.{3,}(?:\/|$)|[^./]\/\.\.?(?:\/|$)|\.\.$/.test(path)) return false;
  return isBalanced(path, '(', ')') && isBalanced(path, '[', ']');
}

function isFileName(name: string, inCode: boolean): boolean {
  if (NAMES.has(name) || NAME_WITH_VARIANT.test(name) || (inCode && NAMES_IN_CODE.has(name))) return true;
  if (name.startsWith('.')) {
    if (DOT_FILES.has(name) || name.startsWith('.env.') || DOT_RC_SCRIPT.test(name)) return true;
    return DOT_CONFIGURATION.test(name) && !ENDING_OF_A_GROUP.test(name);
  }
  const [stem, ending] = splitName(name);
  if (!ENDINGS.has(ending) || SOFTWARE.has(name.toLowerCase().replace(/^(?:non-|_)/, ''))) return false;
  if (!inCode && CAPITALIZED_SCRIPT.test(name)) return false;
  if (stem.length === 1 && !inCode) return false;
  if (/^[\d.]+$/.test(stem) && ending.length < 2) return false;
  return !(OBJECTS.has(stem) && MEMBERS.has(ending)) && /[\p{L}\p{N}_]/u.test(stem);
}

function isFileInFolder(segments: string[], inCode: boolean): boolean {
  const name = segments.at(-1)!;
  if (NAMES.has(name) || NAMES_IN_CODE.has(name) || NAME_WITH_VARIANT.test(name)) return true;
  if (name.startsWith('.') && name.lastIndexOf('.') === 0) {
    return /^\.[a-z]/.test(name) && !DOT_FOLDERS.has(name) && !ENDINGS.has(name.slice(1));
  }
  const [stem, ending] = splitName(name);
  if (ending === '') {
    return inCode && segments.length === 2 && (segments[0] === 'bin' || segments[0] === '.husky');
  }
  if (stem === '' && ENDING_OF_A_GROUP.test(name)) return false;
  if (ENDINGS.has(ending)) return !(SOFTWARE.has(name.toLowerCase()) && /^[A-Z]/.test(name));
  if (ENDINGS_BEHIND_FOLDER.has(ending)) return /\p{L}/u.test(stem);
  return inCode && segments.length > 2 && UNKNOWN_ENDING.test(ending) && /\p{L}/u.test(stem);
}

/** The extension in lower case; none in mixed case, as when the space between two sentences is missing. */
function splitName(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return [name, ''];
  const ending = name.slice(dot + 1);
  const small = ending.toLowerCase();
  const isOneCase = ending === small || (ending === ending.toUpperCase() && ending.length > 1);
  return [name.slice(0, dot), isOneCase ? small : ''];
}

/** In prose, `a\_b.ts` means `a_b.ts`; in code, a backslash separates folders, as on Windows. */
function unescaped(word: string, inCode: boolean): string {
  if (!word.includes('\\')) return word;
  if (!inCode) return word.replace(/\\(?=[!-/:-@[-`{-~])/g, '');
  return /^(?:[\w.-]+\\)+[\w.-]+$/.test(word) ? word.replaceAll('\\', '/') : word;
}

const TRAILING = new Set('.,:;!?*~"…');
const LEADING = new Set('*!"');

/** Without the punctuation around it. Brackets are removed if they are unbalanced or enclose everything. In code, `*` is a glob. */
function trimmed(word: string, inCode: boolean): string {
  let start = 0;
  let end = word.length;
  for (;;) {
    const [first, last] = [word[start]!, word[end - 1]!];
    if (end - start < 2) break;
    if (TRAILING.has(last)) end -= 1;
    else if (LEADING.has(first) && !(inCode && first === '*')) start += 1;
    else if (word.startsWith('~~', start)) start += 2;
    else if (first === '_' && last === '_') [start, end] = [start + 1, end - 1];
    else if (isPair(first, last)) [start, end] = [start + 1, end - 1];
    else if ((last === ')' || last === ']' || last === '}') && !hasOpening(word, start, end, last)) end -= 1;
    else if ((first === '(' || first === '[' || first === '{') && !hasClosing(word, start, end, first))
      start += 1;
    else break;
  }
  return word.slice(start, end);
}

function isPair(first: string, last: string): boolean {
  return first + last === '()' || first + last === '[]' || first + last === '{}';
}

function hasOpening(word: string, start: number, end: number, closing: string): boolean {
  const opening = closing === ')' ? '(' : closing === ']' ? '[' : '{';
  return word.slice(start, end).includes(opening);
}

function hasClosing(word: string, start: number, end: number, opening: string): boolean {
  const closing = opening === '(' ? ')' : opening === '[' ? ']' : '}';
  return word.slice(start, end).includes(closing);
}

/** Without `:12-30`, `(12,5)`, `#L12` or the name of a test after `::`. */
function withoutLines(path: string): string {
  const plain = path.split('::', 1)[0]!.split('#', 1)[0]!;
  let start = plain.length;
  while (start > 0 && OF_LINE_NUMBERS.has(plain[start - 1]!)) start -= 1;
  const tail = plain.slice(start);
  const numbers = tail.search(/[:(]/);
  return numbers < 0 || !/\d/.test(tail) ? plain : plain.slice(0, start + numbers);
}

function isBalanced(path: string, opening: string, closing: string): boolean {
  let depth = 0;
  for (const character of path) {
    if (character === opening) depth += 1;
    else if (character === closing) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(/\s+/));
}
