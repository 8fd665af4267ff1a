/** The cookie that carries a session: `__Host-` and Secure over https, plain where the service is on http. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Browsers accept a `__Host-` cookie only over https, for this host alone, and never from a subdomain. */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-countersign' : 'countersign';
}

export function readSessionCookie(request: FastifyRequest, baseUrl: string): string | undefined {
  return request.cookies[sessionCookieName(baseUrl)];
}

export function sessionCarrier(request: FastifyRequest, reply: FastifyReply, baseUrl: string) {
  const attributes = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
  } as const;
  return {
    token: readSessionCookie(request, baseUrl),
    start: (token: string, expiresAt: Date) => {
      reply.setCookie(sessionCookieName(baseUrl), token, { ...attributes, expires: expiresAt });
    },
    end: () => {
      reply.clearCookie(sessionCookieName(baseUrl), attributes);
    },
  };
}
