/** The curl command for an endpoint, ready to paste into a shell. */
import type { Endpoint, OpenApiDocument } from '../openapi/openapi-types.ts';
import { exampleOf } from './schema-example.ts';

export function curlCommand(
  method: string,
  path: string,
  endpoint: Endpoint,
  document: OpenApiDocument,
): string {
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quote(addressOf(path, endpoint, document))}`,
  ];
  const credential = credentialOption(endpoint, document);
  if (credential) lines.push(credential);
  const media = endpoint.requestBody?.content['application/json'];
  if (media) {
    const body = media.example ?? exampleOf(media.schema, document, { requiredOnly: true });
    lines.push("-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`);
  }
  if (Object.values(endpoint.responses).some(({ content }) => content?.['text/event-stream']))
    lines.push('-N');
  return lines.join(' \\\n  ');
}

function addressOf(path: string, { parameters = [] }: Endpoint, document: OpenApiDocument): string {
  const filledIn = (name: string) => {
    const { example, schema } = parameters.find((parameter) => parameter.name === name)!;
    return encodeURIComponent(String(example ?? exampleOf(schema, document, { requiredOnly: true }, name)));
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => filledIn(name));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${filledIn(name)}`);
  return `${document.servers[0]!.url}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** A key if one is accepted, otherwise the session cookie; in double quotes, so that the shell expands the variable. */
function credentialOption({ security }: Endpoint, document: OpenApiDocument): string | undefined {
  if (security.length === 0) return undefined;
  if (security.some((scheme) => 'apiKey' in scheme)) return '-H "x-api-key: $COUNTERSIGN_API_KEY"';
  const cookie = document.components.securitySchemes.session?.name ?? 'countersign';
  return `-b "${cookie}=$COUNTERSIGN_SESSION"`;
}

/** For POSIX shells: only a single quote ends single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
