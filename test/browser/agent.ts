/** An agent as the person's browser meets it: it sends the browser to the service, and listens for what comes back. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { Answer } from '../harness.ts';
import { authorizationUrl, CALLBACK, newClient, proofKey, redeem } from '../oauth/agent.ts';

export interface Agent {
  /** Where it sends the browser. */
  address: string;
  /** By which it knows its own answer again. */
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
  /** With what the browser came back to an agent; undefined while it has not. */
  returned(agent: Agent): URLSearchParams | undefined;
}

/** What programs on this computer do while their person is in the browser; it ends with the test file. */
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
