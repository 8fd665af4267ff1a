/** Cookies for sessions, known devices and sign-ins in progress: `__Host-` and Secure over HTTPS, plain over HTTP. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Browsers accept a `__Host-` cookie only over https, for this host alone, and never from a subdomain. */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-countersign' : 'countersign';
}

function deviceCookieName(baseUrl: string): string {
  return `${sessionCookieName(baseUrl)}-device`;
}

function browserCookieName(baseUrl: string): string {
  return `${sessionCookieName(baseUrl)}-sign-in`;
}

/** As long as a sign-in at a provider may take. */
const BROWSER_SECONDS = 10 * 60;
/** Browsers keep no cookie for longer than 400 days. */
const DEVICE_SECONDS = 400 * 24 * 60 * 60;

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
    deviceToken: request.cookies[deviceCookieName(baseUrl)],
    rememberDevice: (token: string) => {
      reply.setCookie(deviceCookieName(baseUrl), token, { ...attributes, maxAge: DEVICE_SECONDS });
    },
    browserToken: request.cookies[browserCookieName(baseUrl)],
    rememberBrowser: (token: string) => {
      reply.setCookie(browserCookieName(baseUrl), token, { ...attributes, maxAge: BROWSER_SECONDS });
    },
  };
}
