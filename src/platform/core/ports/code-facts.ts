/** Facts that the text of code alone shows: those of one file, and those of all files of a commit. */

/** Names are normalized so that a provider and its users have the same one. */
export const FACT_KINDS = [
  /** A package: its manifest provides it, a dependency uses it. The name is `ecosystem:name`, such as `npm:react`. */
  'package',
  /** An HTTP route: `METHOD /path` with parameters as `{}`, such as `GET /users/{}`; `ANY` for every method. */
  'route',
  /** A topic, queue or event: publishing provides it, consuming uses it. */
  'event',
  /** A database table: a migration or model provides it, a query uses it. In lower case, without quotes. */
  'table',
  /** An interface definition: `proto:package.Service`, `graphql:Type`, `openapi:title`. */
  'contract',
  /** An environment variable: a deployment file that sets it provides it, code that reads it uses it. */
  'environment',
  /**
   * An exported symbol as other packages name it: `npm:package#name`, `pypi:module#name`, `go:module/folder#Name`,
   * `maven:package.Class`.
   */
  'symbol',
  /** A program that can be started: a binary, a main function, a start script. */
  'entry_point',
  /** A heading of a README or another document. */
  'heading',
  /** A Dockerfile, Compose service, Kubernetes object, Terraform resource or CI workflow. */
  'infrastructure',
  /** A rule of a CODEOWNERS file: the name is its pattern, the detail its owners. */
  'owner',
  /** A glob of the packages in a workspace. */
  'workspace',
] as const;

export type FactKind = (typeof FACT_KINDS)[number];

export interface Fact {
  kind: FactKind;
  role: 'provides' | 'uses';
  name: string;
  /** From 1. */
  line: number;
  /** One more word or sentence about it: a version, a framework, a description, the first sentence below a heading. */
  detail?: string;
}

export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'constant',
  'variable',
  'field',
  'module',
] as const;

export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A definition in a file. */
export interface SymbolDefinition {
  name: string;
  kind: SymbolKind;
  line: number;
  endLine: number;
  /** Visible outside of its file. */
  isExported: boolean;
  /** The class or module that it is part of. */
  container?: string;
  /** Only of functions and methods; `total` is null when there can be any number. */
  parameters?: { required: number; total: number | null };
}

/** An import of a file: the module as it is written there, and the names taken from it. */
export interface ImportedModule {
  module: string;
  line: number;
  /** `*` for the whole module, `default` for its default export. */
  names: { name: string; as?: string }[];
}

export interface FileSymbols {
  language: string | null;
  lines: number;
  isGenerated: boolean;
  symbols: SymbolDefinition[];
  imports: ImportedModule[];
  /** Where identifiers are used, without comments and strings; definitions are not uses. */
  uses: { name: string; lines: number[] }[];
  /** Why something is missing. */
  incomplete: 'too_large' | 'too_slow' | 'too_deep' | 'too_many' | 'invalid' | null;
}

/** Everything that is extracted from one file. It depends on the blob and on the file's name, never on other files. */
export interface FileFacts extends FileSymbols {
  facts: Fact[];
}

export interface PlacedFact extends Fact {
  path: string;
}

/** A name or word in the text of a file, as it is written: `totalCents`, `--dry-run`, `invoice`; with the first line that has it. */
export interface FileWord {
  name: string;
  line: number;
}

/** The same in all files of a commit. */
export interface CommitWord extends FileWord {
  /** The file of the line: one that defines the name if there is one, and no test unless only tests have it. */
  path: string;
  /** How many files have it. */
  files: number;
  isDefined: boolean;
}

export interface CommitFacts {
  commit: string;
  files: number;
  /** The language with most lines first; generated and vendored files don't count. */
  languages: { language: string; files: number; lines: number }[];
  /** Folders of the first two levels. */
  folders: { path: string; files: number; lines: number }[];
  /** In path order; what packages export comes last. */
  facts: PlacedFact[];
  /** Words that people wrote, without generated files; the most telling ones of a large repository. */
  words: CommitWord[];
  /** The busiest folders and people of the last year before the commit. */
  activity: {
    folders: { path: string; commits: number }[];
    people: { name: string; commits: number }[];
  };
  /** Clauses with the reason, such as `3 files were not read: larger than 1 MiB`. */
  leftOut: string[];
}

export interface SymbolPlace {
  path: string;
  line: number;
}

export interface FoundSymbols {
  definitions: (SymbolDefinition & { path: string })[];
  references: SymbolPlace[];
  /** Beyond the limits. */
  moreDefinitions: number;
  moreReferences: number;
}

/** The requests for facts; like searches, they fetch first when this node lacks the commit, and extract what is missing. */
export interface FactRequests {
  commitFacts: { params: { commit: string }; result: CommitFacts };
  /** By the exact name; definitions in tests and generated files come last. */
  findSymbols: {
    params: { commit: string; name: string; maxDefinitions: number; maxReferences: number };
    result: FoundSymbols;
  };
  /** Null when the path isn't a file of the commit. */
  fileFacts: { params: { commit: string; path: string }; result: FileFacts | null };
}

export type FactRequestName = keyof FactRequests;
