/** Stands where Claude Code expects its model: answers with what a test wrote down, and keeps what it was sent. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Step = { say: string } | { use: string; input: object };
/** What the model answers, or how it makes that out of what it was just sent. */
export type Turn = Step | ((heard: string) => Step);

interface Asked {
  model: string;
  tools?: unknown[];
  messages: unknown;
}

export class ScriptedModel {
  /** What Claude Code sent, turn by turn, as text. */
  readonly heard: string[] = [];
  readonly #turns: Turn[];
  readonly #server: Server;

  private constructor(turns: Turn[]) {
    this.#turns = [...turns];
    this.#server = createServer(async (request, response) => {
      const asked = JSON.parse((await text(request)) || '{}') as Asked;
      if (!request.url?.startsWith('/v1/messages?') || asked.tools === undefined) {
        response.writeHead(404).end();
        return;
      }
      this.heard.push(JSON.stringify(asked.messages));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const turn = this.#turns.shift() ?? { say: 'Done.' };
      response.end(eventsOf(typeof turn === 'function' ? turn(this.heard.at(-1)!) : turn, asked.model));
    });
  }

  static async start(turns: Turn[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(turns);
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

/** One message of one block, as the Messages API streams it. */
function eventsOf(turn: Step, model: string): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const isCall = 'use' in turn;
  const block = isCall
    ? { type: 'tool_use', id: `toolu_${crypto.randomUUID()}`, name: turn.use, input: {} }
    : { type: 'text', text: '' };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
    : { type: 'text_delta', text: turn.say };
  const message = {
    id: `msg_${crypto.randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
  };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
