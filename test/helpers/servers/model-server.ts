/** A model server that speaks the formats of OpenAI and Anthropic, streams, and says what a script tells it to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelEndpoint, ModelFormat } from '../../../src/platform/core/ports/model-endpoint.ts';
import { testSecrets } from '../service/secrets.ts';

/** Settings of a review without models. */
export const NO_MODELS = { secrets: testSecrets, models: undefined, allowPrivateAddresses: false };

/** A request, in whichever format it came. */
export interface ModelQuestion {
  format: ModelFormat;
  model: string;
  key: string | undefined;
  instructions: string;
  /** The first message. */
  question: string;
  tools: string[];
  /** Results of the tool calls in the last answer. */
  results: string[];
  /** Answers before this one. */
  step: number;
  /** Counted from 1 for each server. */
  number: number;
}

export type ModelAnswer =
  | { text?: string; calls?: { name: string; input: unknown }[]; usage?: 'none' | [number, number] }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection ends in the middle of the stream. */
  | 'cut'
  /** Not what the format says. */
  | 'rubbish'
  /** The stream goes on until the client ends it. */
  | 'endless';

export type ModelScript = (question: ModelQuestion) => ModelAnswer;

export interface ModelServer extends AsyncDisposable {
  questions: ModelQuestion[];
  /** Paths that were asked for. */
  paths: string[];
  endpoint(format: ModelFormat): ModelEndpoint;
}

export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const questions: ModelQuestion[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      paths.push(request.url!);
      const question = readQuestion(request, body, questions.length + 1);
      questions.push(question);
      answer(response, question, script(question));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    questions,
    paths,
    endpoint: (format) => ({ format, url, model: 'scripted', key: 'sk-key', allowPrivateAddresses: true }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

interface Message {
  role: string;
  content: string | { type: string; text?: string; content?: unknown }[];
}

function readQuestion(request: IncomingMessage, body: string, number: number): ModelQuestion {
  const sent = JSON.parse(body) as {
    model: string;
    system?: { text: string }[];
    messages: Message[];
    tools?: { name?: string; function?: { name: string } }[];
    stream?: boolean;
  };
  if (sent.stream !== true) throw new Error('the request does not ask for a stream');
  const isAnthropic = request.url!.endsWith('/messages');
  const messages = sent.messages.filter(({ role }) => role !== 'system');
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const after = lastAnswer === -1 ? [] : messages.slice(lastAnswer + 1);
  const key = isAnthropic ? request.headers['x-api-key'] : request.headers.authorization?.slice(7);
  return {
    format: isAnthropic ? 'anthropic' : 'openai',
    model: sent.model,
    key: key as string | undefined,
    instructions: isAnthropic
      ? (sent.system ?? []).map(({ text }) => text).join('\n')
      : textOf(sent.messages.find(({ role }) => role === 'system')),
    question: textOf(messages[0]),
    tools: (sent.tools ?? []).map((tool) => tool.name ?? tool.function!.name),
    results: after.flatMap(({ content }) =>
      typeof content === 'string'
        ? [content]
        : content.map((part) => (typeof part.content === 'string' ? part.content : textOf(part as never))),
    ),
    step: messages.filter(({ role }) => role === 'assistant').length,
    number,
  };
}

function textOf(message: Pick<Message, 'content'> | undefined): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

function answer(response: ServerResponse, question: ModelQuestion, answered: ModelAnswer): void {
  if (typeof answered === 'object' && 'status' in answered) {
    const { body, headers, status } = answered;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    const error = { type: 'error', error: { message: `scripted ${status}`, type: 'scripted' } };
    response.end(body ?? JSON.stringify(error));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (answered === 'rubbish') {
    response.end('data: <html>502</html>\n\ndata: {"unexpected": true\n\n');
    return;
  }
  const events = question.format === 'anthropic' ? anthropicEvents : openaiEvents;
  if (answered === 'endless') {
    const [first] = events({ text: 'still thinking' });
    const timer = setInterval(() => response.write(first!), 5);
    response.on('close', () => clearInterval(timer));
    return;
  }
  if (answered === 'cut') {
    response.write(events({ text: 'I was about to say' })[0]!, () => response.socket?.end());
    return;
  }
  for (const event of events(answered)) response.write(event);
  response.end();
}

type Spoken = Extract<ModelAnswer, { text?: string }>;

function openaiEvents({ calls = [], text, usage = [100, 10] }: Spoken): string[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    ...(text === undefined ? [] : [chunk({ role: 'assistant', content: text })]),
    ...calls.flatMap(({ input, name }, index) => {
      const json = JSON.stringify(input);
      const half = Math.ceil(json.length / 2);
      const call = (part: object) => chunk({ tool_calls: [{ index, ...part }] });
      return [
        call({ id: `call-${index}`, type: 'function', function: { name, arguments: json.slice(0, half) } }),
        call({ function: { arguments: json.slice(half) } }),
      ];
    }),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    ...(usage === 'none'
      ? []
      : [{ ...chunk({}), choices: [], usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } }]),
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .concat('data: [DONE]\n\n');
}

function anthropicEvents({ calls = [], text, usage = [100, 10] }: Spoken): string[] {
  const [input, output] = usage === 'none' ? [0, 0] : usage;
  const blocks = [
    ...(text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] }]),
    ...calls.map(({ input, name }, index) => ({
      start: { type: 'tool_use', id: `call-${index}`, name, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
    })),
  ];
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'scripted', content: [] };
  const events = [
    {
      type: 'message_start',
      message: {
        ...message,
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: input, output_tokens: 0 },
      },
    },
    ...blocks.flatMap(({ deltas, start }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
