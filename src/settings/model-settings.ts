/** Models of the operator, for organizations that configured none. */

import { urlProblem } from '../platform/core/network/server-url.ts';
import {
  type ConfiguredModels,
  DEFAULT_BUDGETS,
  MAX_BUDGET,
  MODEL_FORMATS,
  type ModelEndpoint,
  type ModelFormat,
} from '../platform/core/ports/model-endpoint.ts';
import { InvalidSetting, integer, oneOf, type Setting } from './setting.ts';

export const modelSettings = {
  MODEL_URL: {
    defaultNote: 'none: no model is used',
    takes: 'an HTTP or HTTPS URL',
    meaning:
      'The server of the language model that reviews use, such as `https://api.openai.com/v1`, `https://api.anthropic.com/v1` or `http://localhost:11434/v1`: what comes before `/chat/completions` or `/messages`. It can be on this machine or a private network. Code of all organizations that have not set up their own model is sent there. See [models.md](models.md).',
    read: readModelUrl,
  },
  MODEL_NAME: {
    defaultNote: 'none; required with MODEL_URL',
    takes: 'a name',
    meaning: 'The model, as its server calls it.',
    read: readModelName,
  },
  MODEL_FORMAT: {
    default: 'openai',
    meaning:
      'What the server speaks: the chat completions API of OpenAI, which most servers have, or the messages API of Anthropic.',
    ...oneOf(MODEL_FORMATS),
  },
  MODEL_API_KEY: {
    defaultNote: 'none',
    takes: 'a key',
    meaning: 'The key for the server of the model.',
    read: readModelKey,
  },
  SECOND_MODEL_NAME: {
    defaultNote: 'none: the same model',
    takes: 'a name',
    meaning:
      'Another model for the second look, which tries to disprove what the first one found. It is on the server of MODEL_URL unless SECOND_MODEL_URL is set.',
    read: readModelName,
  },
  SECOND_MODEL_URL: {
    defaultNote: 'MODEL_URL',
    takes: 'an HTTP or HTTPS URL',
    meaning: 'The server of the second model. With it, format and key of the first one are not used.',
    read: readModelUrl,
  },
  SECOND_MODEL_FORMAT: {
    default: 'openai',
    meaning: 'The same as MODEL_FORMAT, for SECOND_MODEL_URL.',
    ...oneOf(MODEL_FORMATS),
  },
  SECOND_MODEL_API_KEY: {
    defaultNote: 'none',
    takes: 'a key',
    meaning: 'The key for SECOND_MODEL_URL.',
    read: readModelKey,
  },
  MODEL_TOKENS_PER_RUN: {
    default: String(DEFAULT_BUDGETS.run),
    meaning: 'Maximum number of tokens for one review, questions and answers together.',
    ...integer(1000, MAX_BUDGET),
  },
  MODEL_TOKENS_PER_PULL_REQUEST: {
    default: String(DEFAULT_BUDGETS.pullRequest),
    meaning: 'Maximum number of tokens for all reviews of one pull request.',
    ...integer(1000, MAX_BUDGET),
  },
  MODEL_TOKENS_PER_MONTH: {
    default: String(DEFAULT_BUDGETS.month),
    meaning: 'Maximum number of tokens per organization and calendar month (UTC).',
    ...integer(1000, MAX_BUDGET),
  },
} satisfies Record<string, Setting<unknown>>;

interface ModelSettings {
  url: string | undefined;
  name: string | undefined;
  format: ModelFormat | undefined;
  key: string | undefined;
}

export function modelsOf(
  settings: { first: ModelSettings; second: ModelSettings; run: number; pullRequest: number; month: number },
  problems: string[],
): ConfiguredModels | undefined {
  const { first, month, pullRequest, run, second } = settings;
  if ((first.url === undefined) !== (first.name === undefined)) {
    problems.push('MODEL_URL and MODEL_NAME must be set together');
  }
  if (second.name === undefined && second.url !== undefined) {
    problems.push('SECOND_MODEL_NAME is required with SECOND_MODEL_URL');
  }
  if (first.url === undefined && second.name !== undefined) {
    problems.push('MODEL_URL is required with SECOND_MODEL_NAME');
  }
  // The operator chose the address, so it may be on this machine.
  const endpoint = ({ format = 'openai', key, name, url }: ModelSettings): ModelEndpoint => ({
    ...{ format, url: url ?? '', model: name ?? '', key: key ?? null },
    allowPrivateAddresses: true,
  });
  if (first.url === undefined) return undefined;
  const server = second.url === undefined ? first : second;
  return {
    finding: endpoint(first),
    secondLook: second.name === undefined ? null : endpoint({ ...server, name: second.name }),
    budgets: { run, pullRequest, month },
  };
}

function readModelUrl(text: string): string {
  const problem = urlProblem(text, true);
  if (problem) throw new InvalidSetting(problem);
  return text.replace(/\/+$/, '');
}

function readModelName(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new InvalidSetting('must have at most 200 ASCII characters and no spaces');
  }
  return text;
}

function readModelKey(text: string): string {
  if (!/^[\x21-\x7e]{1,4000}$/.test(text)) {
    throw new InvalidSetting('must have at most 4,000 ASCII characters and no spaces');
  }
  return text;
}
