/** Listening on the network, with a clear message for every way it can fail. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { errorCode, StartFailure } from '../../platform/core/errors/start-failure.ts';

/** Returns the port, which is a free one if 0 was requested. */
export async function listen(server: FastifyInstance, config: Config): Promise<number> {
  try {
    await server.listen({ host: config.host, port: config.port });
    return (server.server.address() as AddressInfo).port;
  } catch (error) {
    throw new StartFailure('port_taken', sentenceFor(error, config), error);
  }
}

function sentenceFor(error: unknown, { host, port }: Config): string {
  const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `${place} is already in use. Stop the other program, or set PORT to another port.`;
    case 'EACCES':
      return `No permission to listen on ${place}: ports below 1024 need extra privileges. Set PORT to a higher port.`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have the address ${host}. Set HOST to 127.0.0.1, or to 0.0.0.0 for every network.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${host} cannot be resolved. Set HOST to 127.0.0.1, or to 0.0.0.0 for every network.`;
    default:
      return `Cannot listen on ${place}: ${(error as Error).message}. Correct HOST and PORT.`;
  }
}
