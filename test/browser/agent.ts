/** An agent from the browser's point of view: it opens the service in the browser and listens for the redirect. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { Answer } from '../helpers/service/harness.ts';
import { authorizationUrl, CALLBACK, newClient, proofKey, redeem } from '../oauth/agent.ts';

export interface Agent {
  /** The URL that it opens in the browser. */
  address: string;
  /** Identifies the reply to its own request. */
  state: string;
  redeem(code: string): Promise<Answer>;
}

export async function newAgent(url: string, { name = 'Robot', redirectUri = CALLBACK } = {}): Promise<Agent> {
  const client = await newClient(url, { client_name: name, redirect_uris: [redirectUri] });
  const { challenge, verifier } = proofKey();
  const state = randomBytes(8).toString('hex');
  return {
    address: authorizationUrl(url, client, challenge, { state }),
    state,
    redeem: (code) => redeem(url, { client, verifier, code }),
  };
}

export interface Listener {
  origin: string;
  redirectUri: string;
  /** The parameters of the redirect to the agent; undefined until it arrives. */
  returned(agent: Agent): URLSearchParams | undefined;
}

/** The agent's local server, which waits for the redirect; it is closed after the test file. */
export async function listenForCodes(): Promise<Listener> {
  const arrived: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    arrived.push(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams);
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><link rel="icon" href="data:,"><title>Agent</title><h1>Back at the agent</h1>',
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    redirectUri: `${origin}/callback`,
    returned: ({ state }) => arrived.find((each) => each.get('state') === state),
  };
}
