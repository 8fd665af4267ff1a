import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ModelAnswer,
  type ModelScript,
  startModelServer,
} from '../../../test/helpers/servers/model-server.ts';
import {
  MODEL_FORMATS,
  type ModelFormat,
  type ModelUsage,
} from '../../platform/core/ports/model-endpoint.ts';
import { type Conversation, converse } from './converse.ts';
import { ModelError } from './model-error.ts';
import { tryModel } from './try-model.ts';

const NOW = { 'retry-after-ms': '1' };

async function ask(format: ModelFormat, script: ModelScript, more: Partial<Conversation> = {}) {
  await using server = await startModelServer(script);
  const usage: ModelUsage[] = [];
  const noted: string[] = [];
  const outcome = await converse({
    endpoint: server.endpoint(format),
    instructions: 'Be brief.',
    question: 'What is wrong?',
    tools: {
      note: {
        description: 'Notes a text.',
        input: z.object({ text: z.string() }),
        run: async ({ text }: { text: string }) => {
          noted.push(text);
          return `noted ${noted.length}`;
        },
      },
    },
    maxSteps: 4,
    left: () => 1_000_000,
    onUsage: (each) => usage.push(each),
    signal: new AbortController().signal,
    ...more,
  }).catch((error: unknown) => error as ModelError);
  return { outcome, usage, noted, questions: server.questions, paths: server.paths };
}

const note = (text: unknown) => ({ name: 'note', input: { text } });

describe.each(MODEL_FORMATS)('a conversation in the format of %s', (format) => {
  it('calls tools, one after the other, and goes on with what they returned', async () => {
    const { noted, outcome, paths, questions, usage } = await ask(format, ({ step }) =>
      step === 0 ? { text: 'Looking.', calls: [note('a'), note('b')] } : { text: 'Nothing else.' },
    );
    expect(outcome).toMatchObject({ steps: 2, ended: 'answered', calls: ['note', 'note'] });
    expect(noted).toEqual(['a', 'b']);
    expect(questions[1]!.results).toEqual(['noted 1', 'noted 2']);
    expect(questions[0]).toMatchObject({
      key: 'sk-key',
      instructions: 'Be brief.',
      question: 'What is wrong?',
      tools: ['note'],
    });
    expect(usage).toEqual([
      { inputTokens: 100, outputTokens: 10 },
      { inputTokens: 100, outputTokens: 10 },
    ]);
    expect(new Set(paths)).toEqual(new Set([format === 'openai' ? '/v1/chat/completions' : '/v1/messages']));
  });

  it('answers calls of unknown tools and wrong arguments with an error, and runs nothing', async () => {
    const { noted, outcome, questions } = await ask(format, ({ step }) =>
      step === 0
        ? { calls: [{ name: 'fetch_url', input: { url: 'http://169.254.169.254/' } }, note(7)] }
        : { text: 'I see.' },
    );
    expect(outcome).toMatchObject({ ended: 'answered', calls: ['fetch_url', 'note'] });
    expect(noted).toEqual([]);
    expect(questions[1]!.results).toHaveLength(2);
  });

  it('stops after the steps that it may take, and when the tokens are used up', async () => {
    const always = () => ({ calls: [note('again')] });
    expect(await ask(format, always)).toMatchObject({ outcome: { steps: 4, ended: 'step_limit' } });
    let left = 250;
    const spent = await ask(format, always, {
      left: () => left,
      onUsage: ({ inputTokens, outputTokens }) => {
        left -= inputTokens + outputTokens;
      },
    });
    expect(spent.outcome).toMatchObject({ steps: 2, ended: 'budget' });
    expect(await ask(format, always, { left: () => 3 })).toMatchObject({
      outcome: { ended: 'budget', steps: 0 },
      questions: [],
    });
  });

  it.each([429, 500, 529])('tries again after a %i, then gives up', async (status) => {
    const once = await ask(format, ({ number }) =>
      number === 1 ? { status, headers: NOW } : { text: 'Fine.' },
    );
    expect(once.outcome).toMatchObject({ ended: 'answered' });
    expect(once.questions).toHaveLength(2);
    const always = await ask(format, () => ({ status, headers: NOW }));
    expect(always.outcome).toBeInstanceOf(ModelError);
    expect(always.outcome).toMatchObject({ code: status === 429 ? 'rate_limited' : 'unavailable' });
    expect(always.questions).toHaveLength(3);
    expect(always.usage).toEqual([]);
  });

  it.each<[ModelAnswer, string, number]>([
    ['cut', 'unexpected_reply', 200],
    ['rubbish', 'unexpected_reply', 200],
    ['endless', 'unavailable', 200],
    [{ status: 401 }, 'unauthorized', 401],
    [{ status: 404, body: '<html>not here</html>' }, 'refused', 404],
    [{ status: 302, headers: { location: 'http://169.254.169.254/' } }, 'refused', 302],
  ])('tells what went wrong when the server answers %j', async (answer, code, status) => {
    const { outcome, questions, usage } = await ask(format, () => answer, { maxRequestMs: 300 });
    expect(outcome).toBeInstanceOf(ModelError);
    expect(outcome).toMatchObject({ code });
    expect(questions).toHaveLength(1);
    // A reply that was begun is counted, although nobody said what it cost.
    expect(usage.length).toBe(status === 200 ? 1 : 0);
  });

  it('ends with the work that asked', async () => {
    const controller = new AbortController();
    const { outcome } = await ask(
      format,
      () => {
        controller.abort(new Error('superseded'));
        return 'endless';
      },
      { signal: controller.signal },
    );
    expect((outcome as Error).message).toBe('superseded');
  });

  it('says what a model can do', async () => {
    const attempt = async (script: ModelScript) => {
      await using server = await startModelServer(script);
      return await tryModel(server.endpoint(format), {
        signal: new AbortController().signal,
        onUsage: () => undefined,
      });
    };
    expect(
      await attempt(({ step, tools }) =>
        tools.length > 0 && step === 0
          ? { calls: [{ name: 'add', input: { first: 17, second: 25 } }] }
          : { text: 'ready' },
      ),
    ).toEqual({ answers: true, callsTools: true, problem: null });
    expect(await attempt(() => ({ text: 'ready' }))).toEqual({
      answers: true,
      callsTools: false,
      problem: 'It answered in words instead of calling a tool.',
    });
    expect(await attempt(() => ({ status: 401 }))).toEqual({
      answers: false,
      callsTools: false,
      problem: "The model's server refused the key (401). It said: scripted 401",
    });
  });
});

it('estimates what a request used when the server does not say', async () => {
  const { usage } = await ask('openai', () => ({ text: 'Fine.', usage: 'none' }));
  expect(usage).toHaveLength(1);
  expect(usage[0]!.inputTokens).toBeGreaterThan(10);
  expect(usage[0]!.outputTokens).toBeGreaterThan(10);
});

it('connects to no private address unless allowed, and never without TLS', async () => {
  await using server = await startModelServer(() => ({ text: 'Fine.' }));
  const endpoint = { ...server.endpoint('openai'), allowPrivateAddresses: false };
  const tried = (url: string) =>
    tryModel({ ...endpoint, url }, { signal: new AbortController().signal, onUsage: () => undefined });
  expect((await tried(endpoint.url)).problem).toContain('must start with https://');
  expect((await tried(endpoint.url.replace('http:', 'https:'))).problem).toContain('private address');
  expect((await tried(endpoint.url.replace('http://127.0.0.1', 'https://localhost'))).problem).toContain(
    'private address',
  );
  expect(server.questions).toEqual([]);
});
