/** The name that an MCP client gives itself: newer protocol versions send it with every request, older ones once, in `initialize`. */

export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Undefined when the message names no client. */
export function clientNameIn(message: unknown): string | undefined {
  const { method, params } = asObject(message);
  const { _meta, clientInfo } = asObject(params);
  const { name } = asObject(
    asObject(_meta)[CLIENT_INFO] ?? (method === 'initialize' ? clientInfo : undefined),
  );
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
