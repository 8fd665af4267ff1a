/** Resources and prompts that the official conformance suite expects of a server besides tools, added to our unchanged server. */
import {
  acceptedContent,
  type GetPromptResult,
  inputRequired,
  type ReadResourceResult,
  type Server,
} from '@modelcontextprotocol/server';
import { conformanceTools, formOf, PNG } from './conformance-tools.ts';

const user = (content: GetPromptResult['messages'][number]['content']) => ({
  role: 'user' as const,
  content,
});

const RESOURCES = ['static-text', 'static-binary', 'watched-resource'].map((name) => ({
  uri: `test://${name}`,
  name,
  description: 'A fixture of the conformance suite.',
  mimeType: name === 'static-binary' ? 'image/png' : 'text/plain',
}));

function readFixture(uri: string): ReadResourceResult | undefined {
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  if (!RESOURCES.some((resource) => resource.uri === uri)) return undefined;
  const text = 'This is the content of the static text resource.';
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}

const PROMPTS = [
  { name: 'test_simple_prompt' },
  { name: 'test_prompt_with_arguments', arguments: ['arg1', 'arg2'] },
  { name: 'test_prompt_with_embedded_resource', arguments: ['resourceUri'] },
  { name: 'test_prompt_with_image' },
  { name: 'test_input_required_result_prompt' },
].map((prompt) => ({
  name: prompt.name,
  description: 'A fixture of the conformance suite.',
  arguments: (prompt.arguments ?? []).map((name) => ({ name, description: name, required: true })),
}));

function promptMessages(
  name: string,
  given: Record<string, string>,
): GetPromptResult['messages'] | undefined {
  switch (name) {
    case 'test_simple_prompt':
      return [user({ type: 'text', text: 'This is a simple prompt for testing.' })];
    case 'test_prompt_with_arguments': {
      const text = `Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`;
      return [user({ type: 'text', text })];
    }
    case 'test_prompt_with_embedded_resource': {
      const text = 'Embedded resource content for testing.';
      const resource = { uri: given.resourceUri!, mimeType: 'text/plain', text };
      return [
        user({ type: 'resource', resource }),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ];
    }
    case 'test_prompt_with_image':
      return [
        user({ type: 'image', data: PNG, mimeType: 'image/png' }),
        user({ type: 'text', text: 'Please analyze the image above.' }),
      ];
    default:
      return undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the library's handlers are private; fixtures fall back to ours.
type Handler = (request: any, context: any) => Promise<any>;

/** Handles its own requests and passes all others to our handler. */
function before(server: Server, method: string, answer: (own: Handler) => Handler): void {
  const handlers = (server as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers;
  handlers.set(method, answer(handlers.get(method)!));
}

function extend(server: Server): void {
  server.registerCapabilities({ completions: {}, logging: {} });
  server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'] } }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  before(server, 'resources/list', (own) => async (request, context) => {
    const { resources, ...rest } = await own(request, context);
    return { ...rest, resources: [...RESOURCES, ...resources] };
  });
  before(server, 'resources/read', (own) => async (request, context) => {
    return readFixture(request.params.uri) ?? own(request, context);
  });
  before(server, 'prompts/list', (own) => async (request, context) => {
    const { prompts, ...rest } = await own(request, context);
    return { ...rest, prompts: [...PROMPTS, ...prompts] };
  });
  before(server, 'prompts/get', (own) => async (request, context) => {
    const { arguments: given = {}, name } = request.params;
    if (name === 'test_input_required_result_prompt') return promptInRounds(context);
    const messages = promptMessages(name, given);
    return messages ? { messages } : own(request, context);
  });
}

function promptInRounds({ mcpReq }: { mcpReq: { inputResponses?: Record<string, unknown> } }) {
  const answered = acceptedContent(mcpReq.inputResponses, 'user_context');
  if (answered) return { messages: [user({ type: 'text', text: JSON.stringify(answered) })] };
  const message = 'What context should the prompt use?';
  return inputRequired({
    inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema: formOf('context') }) },
  });
}

export const conformanceFixtures = { extraTools: conformanceTools, extend };
