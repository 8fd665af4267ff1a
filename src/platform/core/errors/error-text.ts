/** The message of an error as text that can be stored and shown: one short line without anything that looks like a secret. */

const MAX_CHARACTERS = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keys, tokens and hashes are cut to their first characters, which is enough to recognize a commit. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/\/\/[^\s/@]*@/g, '//…@')
    .replace(/\b(https?:\/\/[^\s?#]*)[?#]\S*/g, '$1?…')
    .replace(/\b(bearer|basic|token) +[^\s,;]+/gi, '$1 …')
    .replace(/((?:password|secret|key|token|authorization)["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi, '$1…')
    .replace(/\b(?:csk_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|sk-)[\w-]+/g, '…')
    .replace(/[\w+=-]{24,}/g, (word) => (UUID.test(word) ? word : `${word.slice(0, 7)}…`))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
}
