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

export async function converse(
  { command, surroundings }: Client,
  prompt: string,
  turns: Turn[],
  answer: { plan?: boolean; allow: boolean },
): Promise<Conversation> {
  const model = await ScriptedModel.start(turns);
  const words = ['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'];
  const env = { ...surroundings.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none' };
  const mode = ['--permission-mode', answer.plan ? 'plan' : 'default', '--permission-prompt-tool', 'stdio'];
  const claude = new Program([...command, ...words, ...mode], { ...surroundings, env });
  const send = (message: object) => claude.child.stdin.write(`${JSON.stringify(message)}\n`);
  const conversation: Conversation = { sessionId: '', heard: model.heard, askedAbout: [] };
  try {
    createInterface({ input: claude.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.type === 'result') {
        conversation.sessionId = message.session_id;
        claude.child.stdin.end();
      }
      if (message.type === 'control_request') {
        conversation.askedAbout.push(message.request.tool_name);
        const decision = answer.allow
          ? { behavior: 'allow', updatedInput: message.request.input }
          : { behavior: 'deny', message: 'No.' };
        const response = { subtype: 'success', request_id: message.request_id, response: decision };
        send({ type: 'control_response', response });
      }
    });
    send({ type: 'user', message: { role: 'user', content: prompt } });
    if ((await claude.ended) !== 0) throw new Error(`the conversation failed:\n${claude.output}`);
    return conversation;
  } finally {
    await claude.kill();
    model.close();
  }
}
