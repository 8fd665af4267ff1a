/** The rules of each grammar. */
import type { Grammar } from '../language.ts';
import { BASH } from './bash.ts';
import { C } from './c.ts';
import { CSHARP } from './csharp.ts';
import { GO } from './go.ts';
import { JAVA } from './java.ts';
import { PHP } from './php.ts';
import { PYTHON } from './python.ts';
import { RUBY } from './ruby.ts';
import type { LanguageRules } from './rules.ts';
import { RUST } from './rust.ts';
import { JAVASCRIPT, TYPESCRIPT } from './typescript.ts';

export const RULES: Record<Grammar, LanguageRules> = {
  bash: BASH,
  'c-sharp': CSHARP,
  cpp: C,
  go: GO,
  java: JAVA,
  javascript: JAVASCRIPT,
  php: PHP,
  python: PYTHON,
  ruby: RUBY,
  rust: RUST,
  tsx: TYPESCRIPT,
  typescript: TYPESCRIPT,
};
