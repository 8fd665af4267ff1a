/** A client for `codex app-server`, the JSON-RPC interface that editors use: one message per line. */
import { createInterface } from 'node:readline';
import type { Client } from './clients.ts';
import { Program } from './program.ts';

// biome-ignore lint/suspicious/noExplicitAny: each caller knows the reply to its request.
type Reply = any;

export class CodexAppServer {
  readonly #program: Program;
  readonly #waiting = new Map<number, { settle(value: Reply): void; reject(error: Error): void }>();
  #last = 0;

  private constructor({ command, processOptions }: Client) {
    this.#program = new Program([...command, 'app-server'], processOptions);
    createInterface({ input: this.#program.child.stdout }).on('line', (line) => this.#read(line));
    this.#program.ended.then(
      () => this.#fail(new Error(`codex app-server exited:\n${this.#program.output}`)),
      (error) => this.#fail(error),
    );
  }

  static async start(client: Client): Promise<CodexAppServer> {
    const server = new CodexAppServer(client);
    await server.ask('initialize', {
      clientInfo: { name: 'countersign-acceptance', title: 'Countersign acceptance', version: '1' },
      capabilities: null,
    });
    server.#send({ method: 'initialized' });
    return server;
  }

  ask(method: string, params: object): Promise<Reply> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((settle, reject) => {
      this.#waiting.set(id, { settle, reject });
      this.#send({ id, method, params });
    });
  }

  close(): Promise<void> {
    return this.#program.kill();
  }

  #send(message: object): void {
    this.#program.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(line: string): void {
    const message: Reply = JSON.parse(line);
    // The server's own requests have a method; notifications have no id.
    if (message.method !== undefined || message.id === undefined) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(JSON.stringify(message.error)));
    else waiting?.settle(message.result);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
