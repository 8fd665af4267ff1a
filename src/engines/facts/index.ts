/** The public interface of facts: what is known about code from its text alone. */
export { type CodeFacts, createCodeFacts, type FactSettings } from './create-code-facts.ts';
export { extractFacts } from './extract-facts.ts';
export { globOfLanguage, LANGUAGES, languageOf } from './language.ts';
export { isTestPath } from './path-kinds.ts';
