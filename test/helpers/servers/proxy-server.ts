/** A real outgoing proxy: asks for a password, and knows hosts that nobody else can resolve. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface ProxyServer {
  /** `host:port`. */
  address: string;
  /** The targets that were asked for, with a right password. */
  targets: string[];
  /** Accepts connections, but never answers. */
  isSilent: boolean;
  close(): Promise<void>;
}

/** Every host is at one local port. */
export async function startProxy(options: { credentials: string; port: number }): Promise<ProxyServer> {
  const server = createServer((_request, response) => response.writeHead(400).end());
  const state = { targets: [] as string[], isSilent: false };
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    if (proxy.isSilent) return;
    const expected = `Basic ${Buffer.from(options.credentials).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    proxy.targets.push(request.url!);
    const target = connect(options.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const proxy: ProxyServer = Object.assign(state, {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  });
  return proxy;
}
