/** Turns the request parameters that real agents send into what the library expects. */
import { AGENT_SCOPE } from '../../platform/core/ports/agent-sign-in.ts';
import { resourceOf } from './metadata.ts';

/** Everything else is dropped: OpenID Connect is not offered, and agents that ask for parts of it do not need them. */
const AUTHORIZATION = new Set([
  ...['client_id', 'response_type', 'redirect_uri', 'state'],
  ...['code_challenge', 'code_challenge_method', 'resource'],
  // Passed on so that the library rejects them with its own message.
  ...['request', 'request_uri'],
]);

/** There is only one scope, whatever was requested: agents request all kinds, or none. */
export function authorizationParameters(sent: URLSearchParams, baseUrl: string): URLSearchParams {
  const taken = new URLSearchParams([...sent].filter(([name]) => AUTHORIZATION.has(name)));
  // Every request needs the consent of a user; a client that allows no page gets an error that says so.
  if (sent.get('prompt') === 'none') taken.set('prompt', 'none');
  taken.set('scope', AGENT_SCOPE);
  return withOneResource(taken, baseUrl);
}

export function tokenParameters(sent: URLSearchParams, baseUrl: string): URLSearchParams {
  const taken = new URLSearchParams([...sent].filter(([name]) => name !== 'scope'));
  return withOneResource(taken, baseUrl);
}

/** Agents send the resource URL with or without its path and with or without a trailing slash: all mean `/mcp`. */
function withOneResource(parameters: URLSearchParams, baseUrl: string): URLSearchParams {
  const resource = resourceOf(baseUrl);
  const known = new Set([resource, `${resource}/`, baseUrl, `${baseUrl}/`]);
  const meant = new Set(
    parameters
      .getAll('resource')
      .filter(Boolean)
      .map((sent) => (known.has(URL.parse(sent)?.href ?? sent) ? resource : sent)),
  );
  parameters.delete('resource');
  for (const each of meant) parameters.append('resource', each);
  return parameters;
}
