/** Tells the language of a file by its path. */

/** A grammar of `@vscode/tree-sitter-wasm`. */
export type Grammar =
  | 'bash'
  | 'c-sharp'
  | 'cpp'
  | 'go'
  | 'java'
  | 'javascript'
  | 'php'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'tsx'
  | 'typescript';

const EXTENSIONS: Record<string, string> = {
  bash: 'sh bash zsh ksh bats',
  c: 'c h',
  clojure: 'clj cljs cljc',
  cpp: 'cc cpp cxx c++ hh hpp hxx h++ ipp inl cu cuh',
  csharp: 'cs csx',
  css: 'css scss sass less',
  dart: 'dart',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  go: 'go',
  graphql: 'graphql gql graphqls',
  groovy: 'groovy gradle',
  haskell: 'hs lhs',
  html: 'html htm xhtml vue svelte',
  java: 'java',
  javascript: 'js jsx mjs cjs es6',
  json: 'json jsonc json5 webmanifest',
  julia: 'jl',
  kotlin: 'kt kts',
  lua: 'lua',
  markdown: 'md mdx markdown',
  'objective-c': 'm mm',
  ocaml: 'ml mli',
  perl: 'pl pm',
  php: 'php phtml php5 inc',
  powershell: 'ps1 psm1 psd1',
  proto: 'proto',
  python: 'py pyi pyw',
  r: 'r',
  restructuredtext: 'rst',
  ruby: 'rb rake gemspec ru rbi',
  rust: 'rs',
  scala: 'scala sc',
  sql: 'sql ddl psql',
  swift: 'swift',
  terraform: 'tf tfvars hcl',
  toml: 'toml',
  typescript: 'ts tsx mts cts',
  xml: 'xml csproj fsproj vbproj props targets config xsd wsdl nuspec pom plist',
  yaml: 'yaml yml',
  zig: 'zig',
};

const LANGUAGE_OF_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);

const LANGUAGE_OF_NAME = new Map([
  ['dockerfile', 'dockerfile'],
  ['containerfile', 'dockerfile'],
  ['makefile', 'make'],
  ['gnumakefile', 'make'],
  ['jenkinsfile', 'groovy'],
  ['gemfile', 'ruby'],
  ['rakefile', 'ruby'],
  ['guardfile', 'ruby'],
  ['vagrantfile', 'ruby'],
  ['podfile', 'ruby'],
  ['fastfile', 'ruby'],
  ['pipfile', 'toml'],
  ['cargo.lock', 'toml'],
  ['.bashrc', 'bash'],
  ['.profile', 'bash'],
]);

const GRAMMAR_OF_LANGUAGE = new Map<string, Grammar>([
  ['bash', 'bash'],
  // The grammar of C++ accepts nearly all of C, and headers can be either.
  ['c', 'cpp'],
  ['cpp', 'cpp'],
  ['csharp', 'c-sharp'],
  ['go', 'go'],
  ['java', 'java'],
  ['javascript', 'javascript'],
  ['php', 'php'],
  ['python', 'python'],
  ['ruby', 'ruby'],
  ['rust', 'rust'],
]);

/** Null when the language is unknown. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const known = LANGUAGE_OF_NAME.get(name);
  if (known) return known;
  if (/^(?:dockerfile|containerfile)\.|\.dockerfile$/.test(name)) return 'dockerfile';
  if (/\.mk$|^makefile\./.test(name)) return 'make';
  const dot = name.lastIndexOf('.');
  return dot === -1 ? null : (LANGUAGE_OF_EXTENSION.get(name.slice(dot + 1)) ?? null);
}

/** A glob that matches the files of a language; null when it is unknown. */
export function globOfLanguage(language: string): string | null {
  const wanted = language.trim().toLowerCase();
  const extensions = Object.hasOwn(EXTENSIONS, wanted) ? EXTENSIONS[wanted]!.split(' ') : [];
  const names = [...LANGUAGE_OF_NAME].filter(([, its]) => its === wanted).map(([name]) => name);
  const globs = [
    ...extensions.map((extension) => `*.${extension}`),
    ...names.flatMap((name) => [name, `${name.charAt(0).toUpperCase()}${name.slice(1)}`]),
    ...(wanted === 'dockerfile' ? ['[Dd]ockerfile.*', '[Cc]ontainerfile.*', '*.[Dd]ockerfile'] : []),
    ...(wanted === 'make' ? ['*.mk', '[Mm]akefile.*', 'GNUmakefile'] : []),
  ];
  // Braces around a single glob are literal.
  return globs.length > 1 ? `{${globs.join(',')}}` : (globs[0] ?? null);
}

const TITLES: Record<string, string> = {
  bash: 'Shell',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  graphql: 'GraphQL',
  html: 'HTML',
  javascript: 'JavaScript',
  json: 'JSON',
  make: 'Makefile',
  'objective-c': 'Objective-C',
  ocaml: 'OCaml',
  php: 'PHP',
  powershell: 'PowerShell',
  proto: 'Protocol Buffers',
  restructuredtext: 'reStructuredText',
  sql: 'SQL',
  toml: 'TOML',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
};

/** A language as people write it: `typescript` is TypeScript. */
export function titleOfLanguage(language: string): string {
  return TITLES[language] ?? `${language.charAt(0).toUpperCase()}${language.slice(1)}`;
}

/** The names of all languages. */
export const LANGUAGES: readonly string[] = [
  ...new Set([...Object.keys(EXTENSIONS), ...LANGUAGE_OF_NAME.values()]),
].sort();

/** Null when there is none. */
export function grammarOf(path: string, language: string | null): Grammar | null {
  if (language === 'typescript') return /\.tsx$/i.test(path) ? 'tsx' : 'typescript';
  return (language && GRAMMAR_OF_LANGUAGE.get(language)) || null;
}
