/** The public interface of facts: what is known about code from its text alone. */
export { CommitWords } from './commit-words.ts';
export { type CodeFacts, createCodeFacts, type FactSettings } from './create-code-facts.ts';
export { extractFacts } from './extract-facts.ts';
export { normalizePythonName } from './extractors/manifests/python.ts';
export { METHODS, normalizePath } from './extractors/routes/route-name.ts';
export { tableName } from './extractors/tables/add-table.ts';
export { packageName as goPackageName } from './free-names/go-names.ts';
export { type FileNames, readNames } from './free-names/read-names.ts';
export { globOfLanguage, LANGUAGES, languageOf, titleOfLanguage } from './language.ts';
export type {
  Expression,
  FileMembers,
  MemberDefinition,
  MemberUse,
  TypeMembers,
} from './members/file-members.ts';
export { readMembers } from './members/read-members.ts';
export type { FactFolders } from './messages.ts';
export { isTestPath } from './path-kinds.ts';
export { type FileWithSymbols, providedSymbols } from './provided-symbols.ts';
export { type OpenStoredFacts, openStoredFacts, type StoredFacts } from './stored-facts.ts';
