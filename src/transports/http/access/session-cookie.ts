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

/** Cookies of one request and its response. Created for every request, so it parses them only on demand. */
export class SessionCarrier {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #baseUrl: string;

  constructor(request: FastifyRequest, reply: FastifyReply, baseUrl: string) {
    this.#request = request;
    this.#reply = reply;
    this.#baseUrl = baseUrl;
  }

  get token(): string | undefined {
    return readSessionCookie(this.#request, this.#baseUrl);
  }

  start(token: string, expires: Date): void {
    this.#reply.setCookie(sessionCookieName(this.#baseUrl), token, { ...this.#attributes(), expires });
  }

  end(): void {
    this.#reply.clearCookie(sessionCookieName(this.#baseUrl), this.#attributes());
  }

  get deviceToken(): string | undefined {
    return this.#request.cookies[deviceCookieName(this.#baseUrl)];
  }

  rememberDevice(token: string): void {
    const attributes = { ...this.#attributes(), maxAge: DEVICE_SECONDS };
    this.#reply.setCookie(deviceCookieName(this.#baseUrl), token, attributes);
  }

  get browserToken(): string | undefined {
    return this.#request.cookies[browserCookieName(this.#baseUrl)];
  }

  rememberBrowser(token: string): void {
    const attributes = { ...this.#attributes(), maxAge: BROWSER_SECONDS };
    this.#reply.setCookie(browserCookieName(this.#baseUrl), token, attributes);
  }

  #attributes() {
    const secure = this.#baseUrl.startsWith('https:');
    return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  }
}
