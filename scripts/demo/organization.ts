/** The people of the demo and their keys, created through the API. */
import { type Chapter, DAY } from './story.ts';

export const PASSWORD = 'correct horse battery staple';

const CHROME_LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const SAFARI_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1';
const FIREFOX_MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15.5; rv:143.0) Gecko/20100101 Firefox/143.0';

export interface DemoOrganization {
  /** The owner's session, with keys and devices. */
  owner: string;
  /** A session of a user without API keys. */
  newcomer: string;
  /** An invitation that nobody has accepted. */
  invitation: string;
  people: DemoPeople;
}

/** The users who write and review plans. */
export interface DemoPeople {
  people: Visitors;
  ada: Visitor;
  grace: Visitor;
  joan: Visitor;
}

export async function makeDemoOrganization(
  url: string,
  setupToken: string,
  story: Chapter,
): Promise<DemoOrganization> {
  const people = new Visitors(url);
  await story.at(41 * DAY);
  const ada = await people.enter('198.51.100.23', CHROME_LINUX, '/api/v2/setup', {
    token: setupToken,
    organizationName: 'Acme Robotics',
    name: 'Ada Lovelace',
    email: 'ada@acme.example',
    password: PASSWORD,
  });
  const invite = async (email: string, role: string) => {
    const made = await people.send(ada, 'POST', '/api/v2/invitations', { email, role });
    return { id: made.invitation.id as string, token: String(made.link).split('#token=')[1]! };
  };
  const join = async (name: string, email: string, role: string, address: string) => {
    const { token } = await invite(email, role);
    const input = { token, name, password: PASSWORD };
    return people.enter(address, FIREFOX_MAC, '/api/v2/invitations/accept', input);
  };
  const makeKey = (name: string, owner = ada) => people.send(owner, 'POST', '/api/v2/api-keys', { name });

  await story.at(40 * DAY);
  const grace = await join('Grace Hopper', 'grace@acme.example', 'admin', '198.51.100.40');
  const newcomer = await join('Katherine Johnson', 'katherine@acme.example', 'member', '203.0.113.9');
  const joan = await join('Joan Clarke', 'joan@acme.example', 'member', '203.0.113.77');
  const edsger = await join('Edsger Dijkstra', 'edsger@acme.example', 'member', '203.0.113.12');
  await makeKey('Old laptop', edsger);
  await story.at(38 * DAY);
  const { members } = await people.send(ada, 'GET', '/api/v2/members');
  const idOf = (email: string) => members.find((member: { email: string }) => member.email === email).userId;
  await people.send(ada, 'PATCH', `/api/v2/members/${idOf('katherine@acme.example')}`, { role: 'viewer' });
  await people.send(ada, 'PATCH', `/api/v2/members/${idOf('edsger@acme.example')}`, { active: false });

  await invite('barbara@partner.example', 'viewer');
  const mistake = await invite('alan@acme.exmaple', 'member');
  await people.send(ada, 'DELETE', `/api/v2/invitations/${mistake.id}`);
  const { token: invitation } = await invite('margaret@acme.example', 'member');

  await story.at(36 * DAY);
  const first = await makeKey('Claude Code on my laptop');
  const ci = await makeKey('CI of the web shop');
  await makeKey('Nightly report');
  const leaked = await makeKey('Pasted into a chat by mistake');
  await people.send(ada, 'DELETE', `/api/v2/api-keys/${leaked.key.id}`);
  for (const { secret } of [first, ci]) await people.callWith(secret);

  const elsewhere = await people.signIn('grace@acme.example', '198.51.100.41', CHROME_LINUX);
  await people.send(elsewhere, 'DELETE', '/api/v2/session');
  await people.refused('ada@acme.example', '192.0.2.66');
  await people.signIn('ada@acme.example', '203.0.113.150', SAFARI_IPHONE);
  await people.signIn('ada@acme.example', '198.51.100.24', FIREFOX_MAC);
  return {
    owner: ada.cookie,
    newcomer: newcomer.cookie,
    invitation,
    people: { people, ada, grace, joan },
  };
}

export interface Visitor {
  address: string;
  agent: string;
  cookie: string;
}

/** Users with browsers, each with a separate IP address. */
export class Visitors {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request that starts a session, and keeps its cookie. */
  async enter(address: string, agent: string, path: string, body: object): Promise<Visitor> {
    const reply = await this.#fetch('POST', path, { 'x-forwarded-for': address, 'user-agent': agent }, body);
    return { address, agent, cookie: reply.headers.getSetCookie()[0]!.split(';', 1)[0]! };
  }

  signIn(email: string, address: string, agent: string): Promise<Visitor> {
    return this.enter(address, agent, '/api/v2/session', { email, password: PASSWORD });
  }

  async refused(email: string, address: string): Promise<void> {
    await fetch(`${this.#url}/api/v2/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password: 'a guess' }),
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: replies are read here and nowhere else.
  async send(who: Visitor, method: string, path: string, body?: object): Promise<any> {
    const { address, agent, cookie } = who;
    const headers = { 'x-forwarded-for': address, 'user-agent': agent, cookie };
    const reply = await this.#fetch(method, path, headers, body);
    return reply.status === 204 ? undefined : reply.json();
  }

  async callWith(secret: string): Promise<void> {
    const event = { sessionId: crypto.randomUUID(), eventType: 'planner_session_started' };
    await this.#fetch('POST', '/api/v2/mcp-sessions/events', { 'x-api-key': secret }, event);
  }

  async #fetch(method: string, path: string, headers: Record<string, string>, body?: object) {
    const reply = await fetch(this.#url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  }
}
