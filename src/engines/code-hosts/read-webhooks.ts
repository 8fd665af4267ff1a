/** Reads webhooks in a batch: checks their signatures and finds out what they say has changed. Pure, so it can run in any thread. */
import { giteaWebhooks } from './gitea/webhooks.ts';
import { githubWebhooks } from './github/webhooks.ts';
import { gitlabWebhooks } from './gitlab/webhooks.ts';
import type { HostKind, WebhookChange, WebhookHeaders, WebhookReader } from './port.ts';
import { headerOf } from './signature.ts';

export interface ReceivedWebhook {
  kind: HostKind;
  /** Verifies the signature. */
  secret: string;
  headers: WebhookHeaders;
  /** As it was sent. */
  body: Uint8Array;
}

/** Null if the signature is not valid. */
export type ReadWebhook = WebhookChange[] | null;

const READERS: Record<HostKind, WebhookReader> = {
  github: githubWebhooks,
  gitlab: gitlabWebhooks,
  gitea: giteaWebhooks,
};

export function isSignedWebhook(kind: HostKind, headers: WebhookHeaders): boolean {
  return READERS[kind].isSigned(headers);
}

/** In the same order. */
export function readWebhooks(webhooks: ReceivedWebhook[]): ReadWebhook[] {
  return webhooks.map(({ body, headers, kind, secret }) => {
    const reader = READERS[kind];
    return reader.verify(headers, body, secret) ? reader.read(headers, parse(headers, body)) : null;
  });
}

const decoder = new TextDecoder();

/** JSON, or a form with JSON in its field `payload`, as GitHub and Gitea can send it. Anything else says nothing. */
function parse(headers: WebhookHeaders, body: Uint8Array): unknown {
  const text = decoder.decode(body);
  const isForm = headerOf(headers, 'content-type').startsWith('application/x-www-form-urlencoded');
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  } catch {
    return undefined;
  }
}
