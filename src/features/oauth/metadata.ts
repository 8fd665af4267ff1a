/** The paths of the OAuth endpoints, and the two discovery documents for agents (RFC 9728 and RFC 8414). */
import { AGENT_SCOPE } from '../../platform/core/ports/agent-sign-in.ts';

export const PATHS = {
  authorization: '/oauth/auth',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
} as const;

export const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** The only resource that tokens are valid for. */
export function resourceOf(baseUrl: string): string {
  return `${baseUrl}/mcp`;
}

export function protectedResourceDocument(baseUrl: string) {
  return {
    resource: resourceOf(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: [AGENT_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Countersign',
    resource_documentation: `${baseUrl}/docs`,
  };
}

export function authorizationServerDocument(baseUrl: string, options: { clientMetadataDocuments: boolean }) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${PATHS.authorization}`,
    token_endpoint: `${baseUrl}${PATHS.token}`,
    registration_endpoint: `${baseUrl}${PATHS.registration}`,
    revocation_endpoint: `${baseUrl}${PATHS.revocation}`,
    scopes_supported: [AGENT_SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs`,
    ...(options.clientMetadataDocuments && { client_id_metadata_document_supported: true }),
  };
}
