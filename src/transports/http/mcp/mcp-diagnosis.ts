/** The doctor's report about a credential: whether `/mcp` accepts it, why not, and what to do next. */
import type { CredentialCheck, CredentialFault } from '../../../platform/core/operations/credential-check.ts';
import type { SentCredential } from '../access/identify.ts';

export interface Diagnosis {
  accepted: boolean;
  /** A code for programs; null when the credential is accepted. */
  problem: CredentialFault | 'missing' | 'unknown_scheme' | 'cookie_only' | null;
  detail: string;
  next: string;
}

const NEW_KEY = 'Create a new key in the web app under Settings, API keys, and use it instead.';
const SIGN_IN_AGAIN = 'Sign the agent in again; it then renews its token automatically.';
const ASK_ADMIN = 'Ask an admin of your organization.';
const SEND_ONE = 'Send an API key as x-api-key or as Authorization: Bearer, or sign the agent in with OAuth.';

const KEY_FAULTS: Record<CredentialFault, [detail: string, next: string]> = {
  malformed: ['This is not a valid API key: its format or checksum is wrong.', 'Copy the whole key again.'],
  unknown: [
    'The format is valid, but this service did not create this key.',
    `Is the key from another Countersign service? ${NEW_KEY}`,
  ],
  revoked: ['This key was revoked.', NEW_KEY],
  expired: ['This key has expired.', NEW_KEY],
  deactivated: ['The owner of this key is deactivated in the organization.', ASK_ADMIN],
};

const TOKEN_FAULTS: Record<CredentialFault, [detail: string, next: string]> = {
  malformed: ['This is neither an API key nor an access token of this service.', SEND_ONE],
  unknown: [
    'This service does not know the token: it was revoked or issued elsewhere. API keys start with csk_.',
    SIGN_IN_AGAIN,
  ],
  revoked: ['The agent was signed out.', SIGN_IN_AGAIN],
  expired: ['The token has expired and was not renewed.', SIGN_IN_AGAIN],
  deactivated: ['The person who signed the agent in is deactivated in the organization.', ASK_ADMIN],
};

export function diagnose(
  sent: SentCredential | undefined,
  check: CredentialCheck | undefined,
  authorization: string | undefined,
): Diagnosis {
  if (!sent) return withoutCredential(authorization);
  if (sent.header === 'cookie') {
    return refusal('cookie_only', 'Only a browser cookie was sent, which /mcp does not accept.', SEND_ONE);
  }
  if (check!.accepted) {
    const next = 'Nothing. List the tools and start using them.';
    return { accepted: true, problem: null, detail: 'The credential is accepted.', next };
  }
  const { fault } = check!;
  if (!('key' in sent)) {
    const [detail, next] = TOKEN_FAULTS[fault];
    return refusal(fault, isVariable(sent.token) ? `${detail} ${VARIABLE}` : detail, next);
  }
  const [detail, next] = KEY_FAULTS[fault];
  return refusal(fault, fault === 'malformed' ? `${detail} ${likelyMistake(sent.key)}` : detail, next);
}

function withoutCredential(authorization: string | undefined): Diagnosis {
  if (authorization === undefined) return refusal('missing', 'No credential was sent.', SEND_ONE);
  const detail = 'The Authorization header is not Bearer followed by a key or a token.';
  return refusal('unknown_scheme', detail, SEND_ONE);
}

function refusal(problem: Diagnosis['problem'], detail: string, next: string): Diagnosis {
  return { accepted: false, problem, detail, next };
}

const VARIABLE = 'It looks like a variable name that was not replaced by its value.';
const isVariable = (text: string) => /^[$%]|[{}]/.test(text);

const KEY_CHARACTERS = 53;

/** Common mistakes when a key is copied from a settings file to a header. */
function likelyMistake(key: string): string {
  if (key === '') return 'It is empty: an environment variable may not be set.';
  if (isVariable(key)) return VARIABLE;
  if (/^bearer /i.test(key)) return 'Send it without the word Bearer in x-api-key.';
  if (/["'`\s]/.test(key)) return 'It contains quotes or whitespace.';
  if (!key.startsWith('csk_')) return 'A key starts with csk_.';
  if (key.length !== KEY_CHARACTERS) return `It has ${key.length} characters; a key has ${KEY_CHARACTERS}.`;
  return 'At least one character is wrong.';
}
