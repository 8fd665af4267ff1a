/** The parameters of a request as real agents send them, turned into what the library takes. */
import { AGENT_SCOPE } from '../../platform/core/agent-sign-in.ts';
import { resourceOf } from './metadata.ts';

/** Everything else is left out: of OpenID Connect nothing is offered, and agents that ask for some of it need none. */
const AUTHORIZATION = new Set([
  ...['client_id', 'response_type', 'redirect_uri', 'state'],
  ...['code_challenge', 'code_challenge_method', 'resource'],
  // These the library refuses in its own words.
  ...['request', 'request_uri'],
]);

/** There is one scope, whatever was asked for: agents ask for all kinds, or for none. */
export function authorizationParameters(sent: URLSearchParams, baseUrl: string): URLSearchParams {
  const taken = new URLSearchParams([...sent].filter(([name]) => AUTHORIZATION.has(name)));
  // Every request is put to a person; a client that wants no page to be shown is told so.
  if (sent.get('prompt') === 'none') taken.set('prompt', 'none');
  taken.set('scope', AGENT_SCOPE);
  return withOneResource(taken, baseUrl);
}

export function tokenParameters(sent: URLSearchParams, baseUrl: string): URLSearchParams {
  const taken = new URLSearchParams([...sent].filter(([name]) => name !== 'scope'));
  return withOneResource(taken, baseUrl);
}

/** Agents write the address of the resource with and without its path and with a slash at the end: all mean `/mcp`. */
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
