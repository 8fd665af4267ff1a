/** A browser that signs in through a provider over real HTTP, with its cookies. */
import { finishSingleSignOn } from '../../../src/features/single-sign-on/signing-in/finish-single-sign-on.ts';
import { startSingleSignOn } from '../../../src/features/single-sign-on/signing-in/start-single-sign-on.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../servers/identity-provider.ts';
import type { Answer, TestService } from './harness.ts';

export const SETTINGS = {
  name: 'Acme ID',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  enabled: true,
  allowedDomains: [],
  newMembers: 'first_sign_in',
  defaultRole: 'member',
  roleClaim: 'groups',
  roleRules: [],
  passwordSignIn: true,
  recheckMinutes: 10,
  signInHours: 24,
};

/** Cookies by host and port, which is stricter than browsers are. */
export class Browser {
  readonly #service: TestService;
  readonly cookies = new Map<string, Map<string, string>>();

  constructor(service: TestService, person?: { token: string }) {
    this.#service = service;
    if (person) this.#jar(service.url).set('countersign', person.token);
  }

  get session(): string | undefined {
    return this.#jar(this.#service.url).get('countersign');
  }

  #jar(address: string): Map<string, string> {
    const { origin } = new URL(address);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    return jar;
  }

  #keep(address: string, headers: Headers): void {
    const jar = this.#jar(address);
    for (const line of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
  }

  #cookie(address: string): string {
    return [...this.#jar(address)].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#service.request(method, path, {
      body,
      headers: { cookie: this.#cookie(this.#service.url) },
    });
    this.#keep(this.#service.url, answer.headers);
    return answer;
  }

  /** Follows redirects until the provider sends the browser back, or shows a page. */
  async visit(address: string): Promise<URL> {
    for (let url = address, hops = 0; hops < 10; hops += 1) {
      const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.#cookie(url) } });
      this.#keep(url, response.headers);
      await response.arrayBuffer();
      const location = response.headers.get('location');
      if (location === null) return new URL(url);
      url = new URL(location, url).href;
      if (new URL(url).pathname === '/sign-in/return') return new URL(url);
    }
    throw new Error('The provider redirects in circles.');
  }

  start(input: { organizationId: string; returnTo?: string }): Promise<Answer> {
    return this.call('POST', startSingleSignOn.http.path, input);
  }

  finish(returned: URL, changes: Record<string, string | undefined> = {}): Promise<Answer> {
    const { code, error, iss, state } = Object.fromEntries(returned.searchParams);
    return this.call('POST', finishSingleSignOn.http.path, { code, error, iss, state, ...changes });
  }

  /** The whole way: to the provider and back. */
  async signIn(input: { organizationId: string; returnTo?: string }): Promise<Answer> {
    const started = await this.start(input);
    if (started.status !== 200) return started;
    return this.finish(await this.visit(started.body.url));
  }
}
