/** The two model APIs that the clients call: Anthropic's Messages API and OpenAI's Responses API, as far as the scripts need them. */

export type Step = { say: string } | { use: string; input: object };

// biome-ignore lint/suspicious/noExplicitAny: the clients' requests are read here and nowhere else.
type Json = any;

interface StreamEvent {
  type: string;
  [field: string]: unknown;
}

export interface ModelApi {
  path: string;
  messagesIn(body: Json): Json[];
  /** The tool results in a message, as text: what the model reads. */
  toolResultsIn(message: Json): string[];
  /** One answer as the API streams it. */
  eventsFor(step: Step, model: string): StreamEvent[];
}

/** For Claude Code. */
export const MESSAGES_API: ModelApi = {
  path: '/v1/messages?',
  messagesIn: ({ messages }) => messages,
  toolResultsIn: ({ content }) =>
    (Array.isArray(content) ? content : [])
      .filter(({ type }) => type === 'tool_result')
      .map((block) => textOf(block.content)),
  eventsFor(step, model) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const isCall = 'use' in step;
    const block = isCall
      ? { type: 'tool_use', id: `toolu_${crypto.randomUUID()}`, name: step.use, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
      : { type: 'text_delta', text: step.say };
    const message = {
      id: `msg_${crypto.randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn' }, usage },
      { type: 'message_stop' },
    ];
  },
};

/** For Codex, which names the tools of an MCP server in a namespace. */
export const RESPONSES_API: ModelApi = {
  path: '/v1/responses',
  messagesIn: ({ input }) => input,
  toolResultsIn: (item) =>
    item.type === 'function_call_output'
      ? [textOf(item.output).replace(/^Wall time: [\d.]+ seconds\nOutput:\n/, '')]
      : [],
  eventsFor(step) {
    const id = crypto.randomUUID();
    const [namespace, name] = 'use' in step ? step.use.split('.') : [];
    const item =
      'use' in step
        ? { type: 'function_call', call_id: id, namespace, name, arguments: JSON.stringify(step.input) }
        : { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step.say }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return [
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.done', item: { ...item, id } },
      { type: 'response.completed', response: { id, usage } },
    ];
  },
};

function textOf(content: string | { text?: string }[]): string {
  if (typeof content === 'string') return content;
  return content.map(({ text = '' }) => text).join('\n');
}
