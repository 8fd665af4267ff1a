/** A real git server over HTTP for tests: `git http-backend` behind a small server, optionally with a password. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixtureEnvironment } from '../git/git-fixtures.ts';

export interface GitServerRequest {
  method: string;
  /** Including the query string. */
  path: string;
  authorization: string | undefined;
}

export interface GitServer {
  /** `http://127.0.0.1:port`, to which `/repository.git` is added. */
  url: string;
  port: number;
  /** All requests so far, including refused ones. */
  requests: GitServerRequest[];
  /** Sets a handler that runs first; it returns true if it has handled the request. Null removes it. */
  intercept(handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null): void;
  close(): Promise<void>;
}

/** Serves every repository below a folder. A password, if set, is required (default user name: `git`). */
export async function startGitServer(options: {
  folder: string;
  username?: string;
  password?: string;
}): Promise<GitServer> {
  const { folder, username = 'git', password } = options;
  const expected =
    password === undefined ? null : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const requests: GitServerRequest[] = [];
  let handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    requests.push({ method: request.method!, path: request.url!, authorization });
    if (handler?.(request, response)) return;
    if (expected !== null && authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    // git lets those who signed in push.
    serveGit(folder, request, response, expected === null ? undefined : username);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    intercept: (next) => {
      handler = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

/** Runs one request as a CGI program. */
export function serveGit(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
  user?: string,
): void {
  const url = new URL(request.url!, 'http://server.invalid');
  const header = (name: string) => request.headers[name] as string | undefined;
  const child = spawn('git', ['http-backend'], {
    env: {
      ...fixtureEnvironment(),
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
      ...(user !== undefined && { REMOTE_USER: user }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) {
      if (!response.write(chunk)) {
        child.stdout.pause();
        response.once('drain', () => child.stdout.resume());
      }
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    const lines = head.subarray(0, end).toString('latin1').split('\r\n');
    const headers = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line)!.slice(1) as [string, string]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status');
    response.writeHead(
      status ? Number.parseInt(status[1], 10) : 200,
      Object.fromEntries(headers.filter((entry) => entry !== status)),
    );
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
}
