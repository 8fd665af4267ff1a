/** The AUTH domain: signing in, sessions, permissions. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isMigration, isStyle, isTool } from '../kinds-of-paths.ts';
import { AUTH_LIBRARIES, findKnown } from '../known-software.ts';
import { foldersNamed } from '../main-folders.ts';
import { type Listed, MAX_NAMES, someSentence } from '../write-sentence.ts';
import { asRoute, distinct, WRITTEN } from './api.ts';
import { tablesOf } from './data.ts';

/** Whole words of a route. A token is often one of a parser, a policy one of anything, and roles and permissions those of the subject. */
const AUTH_ROUTE =
  /(?:^|[^a-z_-])(?:auth[nz]?|authenticate|authentication|oauth2?|oidc|openid|saml|sso|log-?_?(?:in|out)|sign-?_?(?:in|out|up)|passwords?|passkeys?|webauthn|totp|mfa|2fa|(?:access|auth|refresh|api)_?-?tokens?)(?![a-z_])/i;
/** Tables of who has an account, and of what shows that; other programs have accounts of money, and sessions of anything. */
const AUTH_TABLE =
  /^(?:users?|accounts?|user_?roles?|roles?_?permissions?|role_users?|permissions?|user_?sessions?|(?:oauth2?|oidc|saml|sso|webauthn|passkey|jwt|totp|mfa|2fa|twofactor)_?\w*|(?:(?:access|auth|refresh|api)_?tokens?)|personal_access_tokens?|api_?keys?|password_\w+)$/i;
const PREFIX = /^(?:[a-z]{1,3}|auth|users?)_/i;
const NO_TABLE = /_(?:seq|idx|pkey)$/i;
const AUTH_FOLDER =
  /^(?:(?:.*[-_])?auth[nz]?|authentication|authorization|o?auth2|oidc|saml|log-?in|sign-?in|passkeys?|webauthn|permissions?|rbac)$/i;
/** Some can be about anything, unless there is more. */
const MAYBE_AUTH_FOLDER = /^(?:policies|access[-_]control|passwords?|credentials)$/i;
const ANY_AUTH_FOLDER = new RegExp(`${AUTH_FOLDER.source}|${MAYBE_AUTH_FOLDER.source}`, 'i');

export function describeAuth(code: DescribedCode): (Sentence | null)[] {
  const paths = code.sources.filter((path) => !isMigration(path) && !isTool(path) && !isStyle(path));
  const routes = matching(code.of('route'), AUTH_ROUTE).toSorted(
    (left, right) => depthOf(left) - depthOf(right),
  );
  const tables = accountTables(code);
  const isSure = foldersNamed(paths, AUTH_FOLDER).length > 0;
  if (!isSure && routes.length + tables.length === 0) return [];
  const folders = foldersNamed(paths, isSure ? ANY_AUTH_FOLDER : MAYBE_AUTH_FOLDER);
  // The domains before name them when there are few.
  const isRepeated = folders.length > 0 && distinct(code.of('route')).length <= MAX_NAMES;
  const named = new Set(
    tablesOf(code)
      .slice(0, MAX_NAMES)
      .map(({ text }) => text),
  );
  const others = tables.filter(({ text }) => !named.has(text));
  return [
    isRepeated
      ? null
      : someSentence(`It registers routes about authentication ${WRITTEN}`, routes.map(asRoute)),
    someSentence('Tables of accounts and permissions include ', others),
    someSentence(
      'For authentication or tokens it depends on libraries for ',
      findKnown(code, AUTH_LIBRARIES),
    ),
    someSentence('It has code for authentication or permissions in ', folders),
  ];
}

/** `/login` says more than one of fifty pages of settings. */
const depthOf = ({ text }: Listed) => text.split('/').length;

function accountTables(code: DescribedCode): Listed[] {
  const bare = (name: string) =>
    name.toLowerCase().startsWith(`${code.shortName.toLowerCase()}_`)
      ? name.slice(code.shortName.length + 1)
      : name.replace(PREFIX, '');
  const isMeant = (name: string) => AUTH_TABLE.test(name) || AUTH_TABLE.test(bare(name));
  const tables = distinct(
    code.of('table').filter(({ name, path }) => isMeant(name) && !NO_TABLE.test(name) && !isTool(path)),
  );
  const hasUsers = tables.some(({ text }) => /users?$/i.test(text));
  return tables.filter(({ text }) => !hasUsers || !/accounts?$/i.test(text));
}

function matching(facts: readonly PlacedFact[], words: RegExp): Listed[] {
  return distinct(facts.filter(({ name, path }) => words.test(name) && !isTool(path)));
}
