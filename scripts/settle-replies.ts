/** Replaces times and secrets in the service's replies with those of the story, so that screenshots are reproducible. */
import type { BrowserContext } from 'playwright-core';
import { settlePlans } from './settle-plans.ts';
import { ago, DAY, HOUR, MINUTE, type Story } from './story.ts';

const SECRET = `csk_${'SampleOnly'.repeat(5).slice(0, 49)}`;
const WEBHOOK_SECRET = `whsec_${'SampleOnly'.repeat(5).slice(0, 43)}=`;
const LINK_TOKEN = 'sample-token-that-opens-nothing-0123456789abcd';

/** By name: when it was created, and when it was last used or ended, in minutes before now. */
const STORY: Record<string, [created: number, last?: number]> = {
  'Claude Code on my laptop': [40 * DAY, 4 * MINUTE],
  'CI of the web shop': [33 * DAY, 2 * HOUR],
  'Nightly report': [3 * DAY],
  'Pasted into a chat by mistake': [9 * DAY, 8 * DAY],
  'Claude Code': [12 * DAY, 4 * MINUTE],
  Cursor: [2 * DAY, 5 * HOUR],
  'ada@acme.example': [41 * DAY],
  'grace@acme.example': [40 * DAY],
  'katherine@acme.example': [20 * DAY],
  'edsger@acme.example': [38 * DAY, 5 * DAY],
  'barbara@partner.example': [12 * DAY],
  'alan@acme.exmaple': [6 * DAY, 6 * DAY],
  'margaret@acme.example': [2 * HOUR],
  '198.51.100.23': [41 * DAY, 0],
  '203.0.113.150': [8 * DAY, 5 * HOUR],
  '198.51.100.24': [2 * DAY, 26 * HOUR],
};
const OTHERWISE: [number] = [16 * DAY];
/** The newest events of the audit log, in minutes before now; the rest follow a day apart. */
const EVENTS = [35, 2 * HOUR, 5 * HOUR, 7 * HOUR, 20 * HOUR, 26 * HOUR, 30 * HOUR];

type Row = Record<string, unknown>;

/** Adjusts replies to reads, and fakes what a dialog would create, so that no screenshot affects the next one. */
export async function settleReplies(
  context: BrowserContext,
  story: Story,
  origin: string,
  service: string,
): Promise<void> {
  await context.route(`${origin}/api/v2/**`, async (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname;
    if (request.method() === 'POST' && path === '/api/v2/api-keys') {
      const { name } = request.postDataJSON();
      return route.fulfill({
        status: 201,
        json: { key: settle({ id: id(), name, ...ENDS }), secret: SECRET },
      });
    }
    if (request.method() === 'POST' && path === '/api/v2/invitations') {
      const invitation = { id: id(), ...request.postDataJSON() };
      return route.fulfill({
        status: 201,
        json: { invitation, link: `${origin}/invitation#token=${LINK_TOKEN}` },
      });
    }
    if (request.method() === 'POST' && path === '/api/v2/webhooks') {
      const webhook = { id: id(), ...request.postDataJSON() };
      return route.fulfill({ status: 201, json: { webhook, secret: WEBHOOK_SECRET } });
    }
    if (request.method() !== 'GET') return route.continue();
    const url = request.url().replace(origin, service);
    const reply = await route.fetch({ url, headers: await request.allHeaders() });
    const body = await reply.json();
    const settled = settlePlans(path, body, story);
    if (settled) return route.fulfill({ response: reply, json: settled });
    for (const list of ['keys', 'members', 'invitations', 'sessions', 'agents'])
      body[list] = body[list]?.map(settle);
    body.events = body.events?.map((event: Row, index: number) => ({
      ...event,
      createdAt: ago(EVENTS[index] ?? (index - EVENTS.length + 2) * DAY),
    }));
    return route.fulfill({ response: reply, json: body });
  });
}

const id = () => '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
const ENDS = { createdAt: null, lastUsedAt: null, revokedAt: null, prefix: '', lastFour: '' };

function settle(row: Row): Row {
  const label = String(row.email ?? row.address ?? row.name);
  const [created, last] = STORY[label] ?? OTHERWISE;
  const settled: Row = { ...row, createdAt: ago(created) };
  for (const field of ['lastUsedAt', 'revokedAt', 'deactivatedAt', 'acceptedAt'])
    if (row[field]) settled[field] = ago(last ?? created);
  if ('lastUsedAt' in row && last !== undefined && !row.revokedAt) settled.lastUsedAt = ago(last);
  if ('signedInAt' in row) settled.signedInAt = ago(created);
  if ('expiresAt' in row) settled.expiresAt = ago(created - 7 * DAY);
  if ('lastFour' in row) Object.assign(settled, { prefix: SECRET.slice(0, 8), lastFour: fourOf(label) });
  return settled;
}

/** Four characters that stay the same for a name. */
function fourOf(name: string): string {
  let sum = 7;
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 36 ** 4;
  return sum.toString(36).padStart(4, '0').toUpperCase();
}
