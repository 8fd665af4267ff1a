/** A conversation with Claude Code whose model is scripted: what the plugin's commands and hook do, and what the user is asked. */
import { createInterface } from 'node:readline';
import type { Client } from './clients.ts';
import { Program } from './program.ts';
import { ScriptedModel, type Turn } from './scripted-model.ts';

export interface Conversation {
  sessionId: string;
  /** What the model was sent, turn by turn. */
  heard: string[];
  /** The tools that the user was asked about before they ran. */
  askedAbout: string[];
}

/** What the user answers to the client's question about a tool; undefined leaves it open. */
export type Answer = (tool: string, input: ToolInput, sessionId: string) => Promise<Decision | undefined>;
// biome-ignore lint/suspicious/noExplicitAny: each tool has its own.
type ToolInput = any;
type Decision = { behavior: 'allow'; updatedInput: ToolInput } | { behavior: 'deny'; message: string };

export async function converse(
  { command, surroundings }: Client,
  prompt: string,
  turns: Turn[],
  answer: { plan?: boolean; allow: boolean | Answer; onSession?: (sessionId: string) => void },
): Promise<Conversation> {
  const model = await ScriptedModel.start(turns);
  const words = ['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'];
  const env = { ...surroundings.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none' };
  const mode = ['--permission-mode', answer.plan ? 'plan' : 'default', '--permission-prompt-tool', 'stdio'];
  const claude = new Program([...command, ...words, ...mode], { ...surroundings, env });
  const send = (message: object) => claude.child.stdin.write(`${JSON.stringify(message)}\n`);
  const conversation: Conversation = { sessionId: '', heard: model.heard, askedAbout: [] };
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
      conversation.askedAbout.push(tool);
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
    if (code !== 0) throw new Error(`the conversation failed:\n${claude.output}`);
    return conversation;
  } finally {
    await claude.kill();
    model.close();
  }
}

export function decide(isAllowed: boolean, input: ToolInput): Decision {
  return isAllowed ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: 'No.' };
}
