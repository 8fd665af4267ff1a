/** Sets up the model, the one of the second look, and budgets. */
import { useId, useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, type FormState, useForm } from '../../components/form.tsx';
import { Toggle } from '../../components/toggle.tsx';

type Settings = CallOutput<'get-model-settings'>;
type Model = Settings['finding'];
type Format = NonNullable<Model>['format'];

const URLS: Record<Format, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/** The names of fields are those of the request, so that errors are shown where they belong. */
const FIELDS = {
  finding: { format: 'finding.format', url: 'finding.url', model: 'finding.model', key: 'finding.key' },
  secondLook: {
    format: 'secondLook.format',
    url: 'secondLook.url',
    model: 'secondLook.model',
    key: 'secondLook.key',
  },
} as const;
type Part = keyof typeof FIELDS;
type Values = Record<(typeof FIELDS)[Part][keyof (typeof FIELDS)[Part]], string> &
  Record<'budgets.run' | 'budgets.pullRequest' | 'budgets.month', string>;

export function ModelForm({
  onCancel,
  onSaved,
  settings,
}: {
  settings: Settings;
  onSaved(settings: Settings): void;
  onCancel(): void;
}) {
  const own = settings.source === 'organization' ? settings : undefined;
  const [hasSecond, setHasSecond] = useState(Boolean(own?.secondLook));
  const id = useId();
  const form = useForm<Values>(
    {
      ...valuesOf('finding', own?.finding ?? null),
      ...valuesOf('secondLook', own?.secondLook ?? null),
      'budgets.run': String(settings.budgets.run),
      'budgets.pullRequest': String(settings.budgets.pullRequest),
      'budgets.month': String(settings.budgets.month),
    } as Values,
    async (values) => {
      const model = (part: Part) => {
        const names = FIELDS[part];
        const key = values[names.key].trim();
        return {
          format: values[names.format] as Format,
          url: values[names.url].trim(),
          model: values[names.model].trim(),
          ...(key !== '' && { key }),
        };
      };
      onSaved(
        await call('change-model-settings', {
          finding: model('finding'),
          secondLook: hasSecond ? model('secondLook') : null,
          budgets: {
            run: Number(values['budgets.run']),
            pullRequest: Number(values['budgets.pullRequest']),
            month: Number(values['budgets.month']),
          },
        }),
      );
    },
  );
  return (
    <Form form={form} action="Save" aside={<Button onClick={onCancel}>Cancel</Button>}>
      <ModelFields form={form} part="finding" stored={own?.finding ?? null} settings={settings} />
      <div className="flex items-start gap-3 border-t border-line pt-4">
        <div className="mr-auto">
          <p id={id} className="text-sm font-medium">
            Use another model for the second look
          </p>
          <p className="text-sm text-quiet">
            What the model finds is posted only after a second pass that tries to disprove it. By default, the
            same model does both.
          </p>
        </div>
        <Toggle on={hasSecond} labelledBy={id} onChange={setHasSecond} />
      </div>
      {hasSecond && (
        <ModelFields form={form} part="secondLook" stored={own?.secondLook ?? null} settings={settings} />
      )}
      <fieldset className="grid grid-cols-1 gap-4 border-t border-line pt-4 sm:grid-cols-3">
        <legend className="sr-only">Budgets in tokens</legend>
        <TextField
          label="Tokens per review"
          type="number"
          inputMode="numeric"
          min={1000}
          {...form.field('budgets.run')}
        />
        <TextField
          label="Tokens per pull request"
          type="number"
          inputMode="numeric"
          min={1000}
          {...form.field('budgets.pullRequest')}
        />
        <TextField
          label="Tokens per month"
          type="number"
          inputMode="numeric"
          min={1000}
          {...form.field('budgets.month')}
        />
      </fieldset>
    </Form>
  );
}

function ModelFields({
  form,
  part,
  settings,
  stored,
}: {
  form: FormState<Values>;
  part: Part;
  stored: Model;
  settings: Settings;
}) {
  const names = FIELDS[part];
  const format = form.field(names.format);
  const keepsKey = stored?.hasKey && stored.url === form.values[names.url].trim().replace(/\/+$/, '');
  const choose = (chosen: Format) => {
    const before = form.values[names.format] as Format;
    if (form.values[names.url] === URLS[before]) form.set(names.url, URLS[chosen]);
    form.set(names.format, chosen);
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <SelectField
        label="API"
        hint="OpenAI, Ollama, llama.cpp, vLLM, LM Studio and most gateways are OpenAI-compatible."
        {...format}
        onChange={(event) => choose(event.target.value as Format)}
      >
        <option value="openai">OpenAI-compatible</option>
        <option value="anthropic">Anthropic</option>
      </SelectField>
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        hint={
          settings.allowsPrivateAddresses
            ? 'What comes before /chat/completions or /messages, such as http://localhost:11434/v1 for Ollama.'
            : 'What comes before /chat/completions or /messages. For a server on your network, the operator must set ALLOW_PRIVATE_ADDRESSES.'
        }
        {...form.field(names.url)}
      />
      <TextField
        label="Model"
        autoComplete="off"
        spellCheck={false}
        placeholder="qwen3:14b"
        {...form.field(names.model)}
      />
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        placeholder={keepsKey ? 'Stored. Leave empty to keep it.' : ''}
        hint={
          stored?.hasKey && !keepsKey
            ? 'The stored key is only used for its own server. Enter the key for this one.'
            : 'Stored encrypted and never shown again. Leave empty if the server needs none.'
        }
        {...form.field(names.key)}
      />
    </div>
  );
}

function valuesOf(part: Part, model: Model) {
  const names = FIELDS[part];
  return {
    [names.format]: model?.format ?? 'openai',
    [names.url]: model?.url ?? URLS.openai,
    [names.model]: model?.model ?? '',
    [names.key]: '',
  };
}
