/** Replies to malformed HTTP. There is no request object, so the reply is written directly to the socket. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { problemDocument } from './reply-error.ts';

/** How long the client may take to read the reply and disconnect. */
const LINGER_MS = 2_000;

export function replyToBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  options: { site: { baseUrl: string }; log: Log },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || replyBegun(socket)) {
    socket.destroy();
    return;
  }
  const problem = problemFor(error.code);
  const requestId = uuidv7();
  options.log.info(
    { requestId, status: problem.status, reason: error.code, address: socket.remoteAddress },
    'broken request',
  );
  const body = JSON.stringify(problemDocument(problem, requestId, options.site.baseUrl));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Further input is discarded: closing immediately could keep a client that is still sending from reading the reply.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Whether the previous reply is being sent: anything written now would become part of it. */
function replyBegun(socket: Socket): boolean {
  return (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;
}

function problemFor(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('header_too_large', 'The request line and headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request was not complete within one minute.');
    default:
      return new Problem('invalid_request', 'This is not a valid HTTP/1.1 request.', {
        errors: [{ path: '', message: 'the request line or a header is malformed' }],
      });
  }
}
