/** The languages with syntax highlighting, by the names that people use after the fence. */

const ALIASES = {
  bash: ['sh', 'shell', 'zsh', 'shellscript'],
  c: ['h'],
  cpp: ['c++', 'cc', 'hpp'],
  csharp: ['cs', 'c#'],
  css: [],
  dart: [],
  diff: ['patch'],
  docker: ['dockerfile'],
  dotenv: ['env'],
  elixir: ['ex', 'exs'],
  go: ['golang'],
  graphql: ['gql'],
  haskell: ['hs'],
  html: ['htm'],
  http: [],
  ini: ['conf', 'properties'],
  java: [],
  javascript: ['js', 'mjs', 'cjs'],
  json: ['json5', 'jsonl'],
  jsonc: [],
  jsx: [],
  kotlin: ['kt', 'kts'],
  lua: [],
  make: ['makefile'],
  markdown: ['md'],
  nginx: [],
  php: [],
  powershell: ['ps1', 'pwsh'],
  proto: ['protobuf'],
  python: ['py'],
  r: [],
  ruby: ['rb'],
  rust: ['rs'],
  scala: [],
  scss: [],
  shellsession: ['console'],
  sql: ['postgres', 'postgresql', 'psql', 'mysql', 'sqlite'],
  swift: [],
  terraform: ['tf', 'hcl'],
  toml: [],
  tsx: [],
  typescript: ['ts', 'mts', 'cts'],
  xml: ['svg'],
  yaml: ['yml'],
  zig: [],
} satisfies Record<string, string[]>;

export type Language = keyof typeof ALIASES;

const NAMES = new Map(
  Object.entries(ALIASES).flatMap(([name, aliases]) =>
    [name, ...aliases].map((alias) => [alias, name as Language]),
  ),
);

/** Undefined for an unknown language. */
export function languageNamed(name: string): Language | undefined {
  return NAMES.get(name.toLowerCase());
}
