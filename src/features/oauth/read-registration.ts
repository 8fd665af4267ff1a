/** Turns the registration that real agents send into what the library expects; everything else in it is dropped. */
import { CLIENT_AUTHENTICATION, GRANT_TYPES } from './metadata.ts';
import { applicationTypeFor, redirectFault } from './redirect-address.ts';

interface Registration {
  redirect_uris: string[];
  application_type: 'native' | 'web';
  grant_types: readonly string[];
  response_types: readonly string[];
  token_endpoint_auth_method?: string;
  client_name?: string;
  client_uri?: string;
}

/** A registration error as defined in RFC 7591. */
interface RegistrationFault {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  error_description: string;
}

const MAX_REDIRECTS = 20;
const MAX_NAME_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 500;

export function readRegistration(sent: unknown): Registration | RegistrationFault {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return fault('the registration must be a JSON object');
  }
  const fields = sent as Record<string, unknown>;
  const redirects = fields.redirect_uris;
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS) {
    return redirectProblem(`must be a list of 1 to ${MAX_REDIRECTS} addresses`);
  }
  const wrong = redirects.map(redirectFault).find(Boolean);
  if (wrong) return redirectProblem(wrong);
  const grants = fields.grant_types;
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes('authorization_code'))) {
    return fault('grant_types must include authorization_code');
  }
  const method = fields.token_endpoint_auth_method;
  if (method !== undefined && !(CLIENT_AUTHENTICATION as readonly unknown[]).includes(method)) {
    return fault(`token_endpoint_auth_method must be one of ${CLIENT_AUTHENTICATION.join(', ')}`);
  }
  const name = typeof fields.client_name === 'string' ? oneLine(fields.client_name) : '';
  const address = webAddress(fields.client_uri);
  return {
    redirect_uris: [...new Set(redirects as string[])],
    application_type: applicationTypeFor(redirects as string[]),
    grant_types: GRANT_TYPES,
    response_types: ['code'],
    ...(method !== undefined && { token_endpoint_auth_method: method as string }),
    ...(name && { client_name: name }),
    ...(address !== undefined && { client_uri: address }),
  };
}

/** Removes line breaks, control characters, and characters that are invisible or change the text direction. */
function oneLine(text: string): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...plain].slice(0, MAX_NAME_LENGTH).join('');
}

function webAddress(sent: unknown): string | undefined {
  const url = typeof sent === 'string' && sent.length <= MAX_ADDRESS_LENGTH ? URL.parse(sent) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return url.username || url.password ? undefined : url.href;
}

function fault(description: string): RegistrationFault {
  return { error: 'invalid_client_metadata', error_description: description };
}

function redirectProblem(description: string): RegistrationFault {
  return { error: 'invalid_redirect_uri', error_description: `redirect_uris ${description}` };
}
