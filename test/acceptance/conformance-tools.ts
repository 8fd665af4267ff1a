/** The tools that the official conformance suite calls, mounted beside our own. */
import { createHmac, randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Context } from '../../src/context.ts';
import type { Tool } from '../../src/transports/mcp/tool.ts';

/** A red dot, and a tenth of a second of silence. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

type Answer = CallToolResult | ReturnType<typeof inputRequired>;
type Run = (given: Record<string, unknown>, protocol: ServerContext) => Answer | Promise<Answer>;

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

function tool(name: string, run: Run, fields: Record<string, { type: 'string' }> = {}): Tool<Context> {
  return {
    listed: {
      name,
      description: 'A fixture of the conformance suite.',
      inputSchema: { type: 'object', properties: fields, required: Object.keys(fields) },
    },
    call: async (given, { protocol }) => (await run(given, protocol)) as CallToolResult,
  };
}

/** A form with one field to fill in. */
export const formOf = (field: string) => ({
  type: 'object' as const,
  properties: { [field]: { type: 'string' as const } },
  required: [field],
});
const askName = (message = 'What is your name?') =>
  inputRequired.elicit({ message, requestedSchema: formOf('name') });
const askModel = (text: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

const contents: Tool<Context>[] = [
  tool('test_simple_text', () => say('This is a simple text response for testing.')),
  tool('test_image_content', () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] })),
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
  tool('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  tool('test_error_handling', () => ({
    ...say('This tool intentionally returns an error for testing'),
    isError: true,
  })),
];

const messages: Tool<Context>[] = [
  tool('test_tool_with_logging', async (_given, { mcpReq }) => {
    for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', text);
      await pause();
    }
    return say('Done.');
  }),
  tool('test_logging_tool', async (_given, { mcpReq }) => {
    await mcpReq.log('info', 'Logged.');
    return say('Done.');
  }),
  tool('test_tool_with_progress', async (_given, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      await pause();
    }
    return say('Done.');
  }),
  tool('test_trigger_tool_change', () => say('Nothing changed: the tools are always the same.')),
];

/** Elicitation during a call, as in the older generation. */
const asking: Tool<Context>[] = [
  tool(
    'test_sampling',
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling(
        {
          messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }],
          maxTokens: 100,
        },
        { timeout: 500 },
      );
      return say(`LLM response: ${JSON.stringify(content)}`);
    },
    { prompt: { type: 'string' } },
  ),
  tool(
    'test_elicitation',
    async ({ message }, { mcpReq }) => {
      const { action } = await mcpReq.elicitInput({
        message: String(message),
        requestedSchema: formOf('name'),
      });
      return say(`User response: ${action}`);
    },
    { message: { type: 'string' } },
  ),
  ...['test_elicitation_sep1034_defaults', 'test_elicitation_sep1330_enums'].map((name) =>
    tool(name, async (_given, { mcpReq }) => {
      const { action } = await mcpReq.elicitInput({ message: name, requestedSchema: formOf('name') });
      return say(`Elicitation completed: action=${action}`);
    }),
  ),
];

const secret = randomBytes(32);
const seal = (text: string) => `${text}.${createHmac('sha256', secret).update(text).digest('hex')}`;

/** Requires the unchanged state of the previous round. */
function openState({ mcpReq }: ServerContext): string | undefined {
  const state = mcpReq.requestState<string>();
  if (state === undefined) return undefined;
  const text = state.slice(0, state.lastIndexOf('.'));
  if (seal(text) !== state) throw Object.assign(new Error('The state was changed.'), { code: -32602 });
  return text;
}

/** Elicitation between two calls, as in the newer generation. */
const rounds: Tool<Context>[] = [
  tool('test_input_required_result_elicitation', (_given, { mcpReq }) => {
    const name = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name')?.name;
    if (typeof name === 'string') return say(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: askName() } });
  }),
  tool('test_input_required_result_sampling', (_given, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return say(JSON.stringify(answer.result.content));
    return inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?') } });
  }),
  tool('test_input_required_result_list_roots', (_given, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return say(JSON.stringify(answer.roots));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  }),
  tool('test_input_required_result_request_state', (_given, protocol) => {
    if (openState(protocol) !== undefined) return say('state-ok');
    const requestedSchema = {
      type: 'object' as const,
      properties: { ok: { type: 'boolean' as const } },
      required: ['ok'],
    };
    const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema });
    return inputRequired({ inputRequests: { confirm }, requestState: seal('waiting') });
  }),
  tool('test_input_required_result_tampered_state', (_given, protocol) => {
    if (openState(protocol) !== undefined) return say('state-ok');
    return inputRequired({ inputRequests: { user_name: askName() }, requestState: seal('waiting') });
  }),
  tool('test_input_required_result_multiple_inputs', (_given, protocol) => {
    if (openState(protocol) !== undefined) return say('All is here.');
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: askModel('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: seal('waiting'),
    });
  }),
  tool('test_input_required_result_multi_round', (_given, protocol) => {
    const state = openState(protocol);
    if (state === undefined) {
      const step1 = askName('Step 1: What is your name?');
      return inputRequired({ inputRequests: { step1 }, requestState: seal('first') });
    }
    if (state === 'second') return say('All is here.');
    const step2 = inputRequired.elicit({
      message: 'Step 2: What is your favorite color?',
      requestedSchema: formOf('color'),
    });
    return inputRequired({ inputRequests: { step2 }, requestState: seal('second') });
  }),
  tool('test_input_required_result_capabilities', (_given, { mcpReq }) => {
    const declared = (mcpReq.envelope as Record<string, Record<string, unknown>> | undefined)?.[
      'io.modelcontextprotocol/clientCapabilities'
    ];
    return inputRequired({
      inputRequests: {
        ...(declared?.sampling !== undefined && { question: askModel('Is it so?') }),
        ...(declared?.elicitation !== undefined && { user_name: askName() }),
      },
    });
  }),
  tool('test_missing_capability', () =>
    inputRequired({ inputRequests: { question: askModel('Is it so?') } }),
  ),
  tool('test_streaming_elicitation', async (_given, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'fixture';
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    return inputRequired({ inputRequests: { user_name: askName() } });
  }),
];

export const conformanceTools: readonly Tool<Context>[] = [...contents, ...messages, ...asking, ...rounds];
