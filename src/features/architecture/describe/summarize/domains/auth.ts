/** The AUTH domain: signing in, sessions, permissions. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isMigration, isStyle, isTool } from '../kinds-of-paths.ts';
import { AUTH_LIBRARIES, findKnown } from '../known-software.ts';
import { foldersNamed } from '../main-folders.ts';
import { type Listed, listSentence, MAX_NAMES } from '../write-sentence.ts';
import { asRoute, distinct } from './api.ts';

/** Whole words of a name. A token is often one of a parser, a policy one of anything. */
const AUTH_WORDS =
  /(?:^|[^a-z])(?:auth[nz]?|authenticat\w*|authoriz\w*|oauth2?|oidc|openid|saml|sso|log-?_?(?:in|out)|sign-?_?(?:in|out|up)|passwords?|passkeys?|webauthn|jwt|totp|mfa|2fa|permissions?|roles?|rbac|credentials?|(?:access|auth|refresh|api)_?-?tokens?|(?:api|personal)_?accesstokens?|apikeys?)(?![a-z])|^(?:\w+ \/)?(?:\w+_)?sessions?(?:$|\/)/i;
const AUTH_FOLDER =
  /^(?:(?:.*[-_])?auth[nz]?|authentication|authorization|o?auth2|oidc|saml|log-?in|sign-?in|passkeys?|webauthn|permissions?|rbac)$/i;
/** Some can be about anything, unless there is more. */
const MAYBE_AUTH_FOLDER = /^(?:policies|sessions?|accounts|access[-_]control|passwords?|credentials)$/i;
const ANY_AUTH_FOLDER = new RegExp(`${AUTH_FOLDER.source}|${MAYBE_AUTH_FOLDER.source}`, 'i');

export function describeAuth(code: DescribedCode): (Sentence | null)[] {
  const paths = code.sources.filter((path) => !isMigration(path) && !isTool(path) && !isStyle(path));
  const routes = matching(code.of('route')).toSorted((left, right) => depthOf(left) - depthOf(right));
  const tables = matching(code.of('table'));
  const isSure = foldersNamed(paths, AUTH_FOLDER).length > 0;
  if (!isSure && routes.length + tables.length === 0) return [];
  const folders = foldersNamed(paths, isSure ? ANY_AUTH_FOLDER : MAYBE_AUTH_FOLDER);
  // The domains before name them all when there are few.
  const isRepeated = (kind: 'route' | 'table') =>
    folders.length > 0 && distinct(code.of(kind)).length <= MAX_NAMES;
  return [
    isRepeated('route')
      ? null
      : listSentence(
          `${routes.length === 1 ? 'A route for signing in and permissions is' : 'Routes for signing in and permissions are'} `,
          routes.map(asRoute),
          {
            some: 'Routes for signing in and permissions include ',
          },
        ),
    isRepeated('table')
      ? null
      : listSentence(
          `${tables.length === 1 ? 'A table of accounts and permissions is' : 'Tables of accounts and permissions are'} `,
          tables,
          {
            some: 'Tables of accounts and permissions include ',
          },
        ),
    listSentence('For authentication it has libraries for ', findKnown(code, AUTH_LIBRARIES)),
    listSentence('Code for authentication and permissions is in ', folders),
  ];
}

/** `/login` says more than one of fifty pages of settings. */
const depthOf = ({ text }: Listed) => text.split('/').length;

function matching(facts: readonly PlacedFact[]): Listed[] {
  return distinct(facts.filter(({ name, path }) => AUTH_WORDS.test(name) && !isTool(path)));
}
