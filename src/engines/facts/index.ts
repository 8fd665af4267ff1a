/** The public interface of facts: what is known about code from its text alone. */
export { extractFacts } from './extract-facts.ts';
export { globOfLanguage, LANGUAGES, languageOf } from './language.ts';
