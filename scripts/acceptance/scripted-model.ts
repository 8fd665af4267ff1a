/** A local server in place of the model: answers with scripted turns and keeps what the client sent. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ModelApi, Step } from './model-apis.ts';

/** The model's answer, or a function that makes it from what the client just sent. */
export type Turn = Step | ((received: string) => Step);

export class ScriptedModel {
  /** The messages that the client sent, turn by turn, as JSON. */
  readonly received: string[] = [];
  /** The results of the tool calls, exactly as the model got them. */
  toolResults: readonly string[] = [];
  readonly #server: Server;

  private constructor(api: ModelApi, turns: readonly Turn[]) {
    const remaining = [...turns];
    this.#server = createServer(async (request, response) => {
      const body = JSON.parse((await text(request)) || '{}');
      // Clients also ask for titles and the like, without tools.
      if (!request.url?.startsWith(api.path) || body.tools === undefined) {
        response.writeHead(404).end();
        return;
      }
      const messages = api.messagesIn(body);
      const received = JSON.stringify(messages);
      this.received.push(received);
      // Every request repeats the earlier messages.
      this.toolResults = messages.flatMap(api.toolResultsIn);
      const turn = remaining.shift() ?? { say: 'Done.' };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of api.eventsFor(typeof turn === 'function' ? turn(received) : turn, body.model)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    });
  }

  static async start(api: ModelApi, turns: readonly Turn[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(api, turns);
    await new Promise<void>((ready) => model.#server.listen(0, '127.0.0.1', ready));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
