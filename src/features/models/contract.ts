/** The shapes and limits of the models that reviews use. */
import { z } from 'zod';
import { requiredText, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import { MAX_BUDGET, MODEL_FORMATS } from '../../platform/core/ports/model-endpoint.ts';

export const MODEL_LIMITS = { urlCharacters: 1000, nameCharacters: 200, keyCharacters: 4000 } as const;
export const MODEL_SOURCES = ['none', 'environment', 'organization', 'off'] as const;

const PRINTABLE = /^[\x21-\x7e]+$/;
const NOT_PRINTABLE = 'must be ASCII characters without spaces';

const Format = z
  .enum(MODEL_FORMATS)
  .describe('`openai`: chat completions, which most servers have. `anthropic`: the messages API.');
const Tokens = z.int().min(1000).max(MAX_BUDGET);
const Budgets = z.object({
  run: Tokens.describe('For one review.'),
  pullRequest: Tokens.describe('For all reviews of one pull request.'),
  month: Tokens.describe('For the organization in one calendar month (UTC).'),
});

const Model = z
  .object({ format: Format, url: z.string(), model: z.string(), hasKey: z.boolean() })
  .meta({ id: 'Model' });

export const ModelAbilities = z
  .object({
    answers: z.boolean().describe('It answers, as a stream.'),
    callsTools: z.boolean().describe('It calls tools. Without that it can report nothing.'),
    problem: z.string().nullable(),
  })
  .meta({ id: 'ModelAbilities' });

const Usage = z
  .object({ requests: z.int(), inputTokens: z.int(), outputTokens: z.int() })
  .meta({ id: 'ModelUsage' });

export const GetModelSettingsInput = z.object({});
export const ModelSettings = z
  .object({
    source: z
      .enum(MODEL_SOURCES)
      .describe(
        '`environment`: the operator’s model. `off`: the organization uses none, although the operator has set one up.',
      ),
    finding: Model.nullable(),
    secondLook: Model.nullable().describe('Null: the first model does both.'),
    budgets: Budgets.describe('In tokens, of questions and answers together.'),
    usedThisMonth: Usage,
    tested: z
      .object({ at: timestamp(), finding: ModelAbilities, secondLook: ModelAbilities.nullable() })
      .nullable()
      .describe('The last test of the organization’s own models.'),
    updatedBy: z.object({ id: uuid(), name: z.string() }).nullable(),
    updatedAt: timestamp().nullable(),
    allowsPrivateAddresses: z
      .boolean()
      .describe('Whether the server of a model can be on a private network, and without TLS.'),
  })
  .meta({ id: 'ModelSettings' });

const ModelInput = z.object({
  format: Format,
  url: requiredText({ max: MODEL_LIMITS.urlCharacters }).describe(
    'What comes before `/chat/completions` or `/messages`, such as https://api.openai.com/v1 or https://api.anthropic.com/v1.',
  ),
  model: requiredText({ max: MODEL_LIMITS.nameCharacters }).describe('As its server calls it.'),
  key: requiredText({ max: MODEL_LIMITS.keyCharacters })
    .regex(PRINTABLE, NOT_PRINTABLE)
    .optional()
    .describe(
      'Stored encrypted and never returned. Without it, the stored key of the same server is kept; a new server starts without one.',
    ),
  removeKey: z.boolean().optional().describe('Removes the stored key.'),
});

export const ChangeModelSettingsInput = z.object({
  finding: ModelInput.nullable().describe('Null: use no model.'),
  secondLook: ModelInput.nullable()
    .optional()
    .describe('Another model that tries to refute what the first one found. Default: the first one.'),
  budgets: Budgets.optional().describe('Default: as they are.'),
});

export const ResetModelSettingsInput = z.object({});
export const TestModelInput = z.object({});
export const ModelTest = z
  .object({ finding: ModelAbilities, secondLook: ModelAbilities.nullable() })
  .meta({ id: 'ModelTest' });
