/** Errors of an identity provider, in words that a person can act on. */
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { PrivateAddressError } from '../../platform/core/network/private-address.ts';

/**
 * `unreachable`: no answer, or not a definite one; trying later may help. `misconfigured`: the settings here or at the provider
 * are wrong. `refused`: the provider definitely refused this code or token. `denied`: it didn't let the person sign in.
 * `invalid`: its answer must not be trusted.
 */
type ProviderErrorCode = 'unreachable' | 'misconfigured' | 'refused' | 'denied' | 'invalid';

export class ProviderError extends Error {
  readonly code: ProviderErrorCode;

  constructor(code: ProviderErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProviderError';
    this.code = code;
  }
}

const CLAIMS: Record<string, string> = {
  iss: 'The token was issued by another provider.',
  aud: 'The token was issued for another application.',
  azp: 'The token was issued for another application.',
  nonce: 'The token belongs to another sign-in.',
};

/** Converts an error that the library throws. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof AuthorizationResponseError) return deniedBy(error.error, error);
  if (error instanceof ResponseBodyError) return describeReply(error);
  if (error instanceof WWWAuthenticateChallengeError) {
    return error.status === 401
      ? new ProviderError('misconfigured', 'The provider refused the client ID or the client secret.', error)
      : new ProviderError('unreachable', `The provider replied with status ${error.status}.`, error);
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderError) return cause;
    if (cause instanceof PrivateAddressError) {
      return new ProviderError(
        'misconfigured',
        'The address of the provider belongs to this machine or to a private network. The operator can allow that with ALLOW_PRIVATE_ADDRESSES.',
        error,
      );
    }
  }
  if (error instanceof ClientError) return describeCode(error);
  return new ProviderError('unreachable', `The provider can't be reached: ${deepestMessage(error)}.`, error);
}

function deniedBy(code: string, cause: unknown): ProviderError {
  if (code === 'access_denied') {
    return new ProviderError('denied', 'The provider did not let you in, or you canceled.', cause);
  }
  if (code === 'temporarily_unavailable' || code === 'server_error') {
    return new ProviderError('unreachable', 'The provider has a problem of its own. Try again later.', cause);
  }
  return new ProviderError('misconfigured', `The provider refused the sign-in request (${code}).`, cause);
}

function describeReply(error: ResponseBodyError): ProviderError {
  if (error.error === 'invalid_grant') {
    return new ProviderError('refused', 'The provider no longer accepts this sign-in.', error);
  }
  if (error.error === 'invalid_client' || error.error === 'unauthorized_client') {
    return new ProviderError(
      'misconfigured',
      'The provider refused the client ID or the client secret.',
      error,
    );
  }
  if (error.status >= 500 || error.status === 429) {
    return new ProviderError('unreachable', `The provider replied with status ${error.status}.`, error);
  }
  return new ProviderError('misconfigured', `The provider refused the request (${error.error}).`, error);
}

function describeCode(error: ClientError): ProviderError {
  const details = (error.cause as { cause?: { claim?: string; attribute?: string } } | undefined)?.cause;
  switch (error.code) {
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED': {
      const message = CLAIMS[details?.claim ?? ''] ?? 'The token of the provider is not valid.';
      return new ProviderError('invalid', message, error);
    }
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return new ProviderError(
        'invalid',
        'The token of the provider has expired. Check the clocks of both machines.',
        error,
      );
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return details?.attribute === 'issuer'
        ? new ProviderError(
            'misconfigured',
            'The provider calls itself by another issuer than the one in the settings.',
            error,
          )
        : new ProviderError('invalid', 'The answer of the provider is about someone else.', error);
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM': {
      const status = (error.cause as Response | undefined)?.status;
      return status !== undefined && status < 500 && status !== 429
        ? new ProviderError('misconfigured', `The provider replied with status ${status}.`, error)
        : new ProviderError('unreachable', `The provider replied with status ${status ?? 'unknown'}.`, error);
    }
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_PARSE_ERROR':
      return new ProviderError(
        'misconfigured',
        "The address doesn't answer like an OpenID Connect provider.",
        error,
      );
    case 'OAUTH_HTTP_REQUEST_FORBIDDEN':
      return new ProviderError('misconfigured', 'The provider must be reached over HTTPS.', error);
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return new ProviderError('unreachable', 'The provider did not answer in time.', error);
    case undefined:
      return new ProviderError(
        'unreachable',
        `The provider can't be reached: ${deepestMessage(error)}.`,
        error,
      );
    default:
      return new ProviderError(
        'invalid',
        `The answer of the provider is not valid: ${deepestMessage(error)}.`,
        error,
      );
  }
}

function deepestMessage(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest instanceof Error ? deepest.message.replace(/\.$/, '') : 'unknown error';
}
