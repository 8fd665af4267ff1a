/** A Claude Code session with a scripted model, a scripted user, and a record of what each of them was sent. */
import { createInterface } from 'node:readline';
import type { Client } from './clients.ts';
import { MESSAGES_API } from './model-apis.ts';
import { Program } from './program.ts';
import { ScriptedModel, type Turn } from './scripted-model.ts';

export interface Conversation {
  sessionId: string;
  /** The model's input, turn by turn. */
  received: string[];
  /** The results of its tool calls, as the model got them. */
  toolResults: readonly string[];
  /** The tools for which the client asked the user's permission. */
  permissionRequests: string[];
}

/** The user's answer to a permission request; undefined leaves it open. */
export type Answer = (tool: string, input: ToolInput, sessionId: string) => Promise<Decision | undefined>;
// biome-ignore lint/suspicious/noExplicitAny: each tool has its own input.
type ToolInput = any;
type Decision = { behavior: 'allow'; updatedInput: ToolInput } | { behavior: 'deny'; message: string };

export async function converse(
  { command, processOptions }: Client,
  prompt: string,
  turns: Turn[],
  answer: { plan?: boolean; allow: boolean | Answer; onSession?: (sessionId: string) => void },
): Promise<Conversation> {
  const model = await ScriptedModel.start(MESSAGES_API, turns);
  const args = ['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'];
  const env = { ...processOptions.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none' };
  const mode = ['--permission-mode', answer.plan ? 'plan' : 'default', '--permission-prompt-tool', 'stdio'];
  const claude = new Program([...command, ...args, ...mode], { ...processOptions, env });
  const send = (message: object) => claude.child.stdin.write(`${JSON.stringify(message)}\n`);
  const conversation: Conversation = {
    sessionId: '',
    received: model.received,
    toolResults: [],
    permissionRequests: [],
  };
  try {
    const read = async (line: string) => {
      const message = JSON.parse(line);
      if (conversation.sessionId === '' && message.session_id) {
        conversation.sessionId = message.session_id;
        answer.onSession?.(conversation.sessionId);
      }
      if (message.type === 'result') claude.child.stdin.end();
      if (message.type !== 'control_request') return;
      const { input, tool_name: tool } = message.request;
      conversation.permissionRequests.push(tool);
      const decision =
        typeof answer.allow === 'function'
          ? await answer.allow(tool, input, conversation.sessionId)
          : decide(answer.allow, input);
      if (!decision) return;
      const response = { subtype: 'success', request_id: message.request_id, response: decision };
      send({ type: 'control_response', response });
    };
    let failure: unknown;
    createInterface({ input: claude.child.stdout }).on('line', (line) =>
      read(line).catch((error) => {
        failure ??= error;
        claude.child.kill('SIGKILL');
      }),
    );
    send({ type: 'user', message: { role: 'user', content: prompt } });
    const code = await claude.ended;
    if (failure) throw failure;
    if (code !== 0) throw new Error(`the session failed:\n${claude.output}`);
    return { ...conversation, toolResults: model.toolResults };
  } finally {
    await claude.kill();
    model.close();
  }
}

export function decide(isAllowed: boolean, input: ToolInput): Decision {
  return isAllowed ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: 'No.' };
}
