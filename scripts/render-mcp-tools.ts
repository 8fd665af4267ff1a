/** Renders docs/mcp-tools.md: the MCP server's tools as clients list them. */
import { readConfig } from '../src/config.ts';
import { operations } from '../src/operations.ts';
import { createLog } from '../src/platform/core/log.ts';
import { mountTools } from '../src/transports/mcp/tools.ts';

interface Field {
  type?: string;
  description?: string;
  enum?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export function renderMcpTools(): string {
  const tools = mountTools({
    operations,
    settings: readConfig({}),
    version: '0',
    site: { baseUrl: '' },
    log: createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } }),
    isOutage: () => false,
  });
  const sections = tools.map(({ listed: { annotations, description, inputSchema, name, outputSchema } }) => {
    const required = new Set(inputSchema.required);
    const rows = Object.entries((inputSchema.properties ?? {}) as Record<string, Field>).map(
      ([field, about]) =>
        `| \`${field}\`${required.has(field) ? '' : '?'} | ${describeType(about)} | ${cell(about.description)} |`,
    );
    const answers = outputSchema
      ? Object.keys(outputSchema.properties ?? {})
          .map((field) => `\`${field}\``)
          .join(', ')
      : 'text';
    const hints = Object.entries({ ...annotations, title: undefined })
      .filter(([, value]) => value === true)
      .map(([hint]) => hint.replace(/Hint$/, ''));
    return `## ${name}
${description}

Hints: ${hints.join(', ') || 'none'}. Reply: ${answers}.

| argument | type | description |
| --- | --- | --- |
${rows.join('\n')}
`;
  });
  return `<!-- Written by \`npm run generate\`. -->
# MCP tools

The tools at \`/mcp\` as clients list them. \`?\` marks optional arguments. How a reply reaches a model: [decisions/mcp.md](decisions/mcp.md). How to connect: [agents/](agents/README.md).

${sections.join('\n')}`;
}

function describeType({ enum: values, maximum, maxLength, minimum, type = 'any' }: Field): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  const range =
    minimum === undefined && maximum === undefined
      ? ''
      : `, ${minimum ?? ''}…${maximum?.toLocaleString('en-US') ?? ''}`;
  return `${type}${range}${maxLength === undefined ? '' : `, at most ${maxLength.toLocaleString('en-US')} characters`}`;
}

function cell(text = ''): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
