/** The AUTH domain: signing in, sessions, tokens, permissions. */
import type { PlacedFact } from '../../../../../platform/core/ports/code-facts.ts';
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { type Listed, listSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';
import { subjectsOf } from './business-logic.ts';

const AUTH_WORD =
  /auth(?!or)|log_?-?in|log_?-?out|sign_?-?(?:in|up|out)|session|password|passkey|webauthn|fido|oidc|openid|saml|sso\b|jwt|token|totp|two_?-?factor|2fa|mfa|yubi|duo|ldap|permission|roles?\b|rbac|acl|policy|policies|captcha|invitation|identit|credential|account_?-?recovery|opaque/i;

export function describeAuth(code: DescribedCode): (Sentence | null)[] {
  const paths = code.sources.filter((path) => AUTH_WORD.test(path));
  return [
    listSentence('Routes for signing in and permissions are ', matching(code.of('route')), { maxItems: 20 }),
    listSentence('Tables of accounts and permissions are ', matching(code.of('table')), { maxItems: 20 }),
    listSentence('It uses the packages ', matching(code.of('package', 'uses')), { maxItems: 16 }),
    listSentence('It is configured by ', matching(code.of('environment', 'uses')), { maxItems: 16 }),
    listSentence('Its code for authentication and permissions is about ', subjectsOf(paths, code), {
      maxItems: 50,
    }),
  ];
}

function matching(facts: readonly PlacedFact[]): Listed[] {
  return distinct(facts.filter(({ name }) => AUTH_WORD.test(name)));
}
