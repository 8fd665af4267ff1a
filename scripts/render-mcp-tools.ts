/** Renders docs/mcp-tools.md: the MCP server's tools as clients list them. */
import { readConfig } from '../src/config.ts';
import { operations } from '../src/operations.ts';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { listedTools, mountTools } from '../src/transports/mcp/tools.ts';

interface Field {
  type?: string;
  description?: string;
  enum?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Field;
  properties?: Record<string, Field>;
  required?: string[];
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
  const sections = listedTools(tools).map(({ annotations, description, inputSchema, name, outputSchema }) => {
    const rows = rowsOf(inputSchema as Field);
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

/** A row for each field, those of objects and of an array's items included. */
function rowsOf({ properties = {}, required = [] }: Field, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([field, about]) => {
    const name = `${prefix}${field}`;
    const mark = required.includes(field) ? '' : '?';
    return [
      `| \`${name}\`${mark} | ${describeType(about)} | ${cell(about.description)} |`,
      ...rowsOf(about.items ?? about, about.items ? `${name}[].` : `${name}.`),
    ];
  });
}

function describeType(field: Field): string {
  const { enum: values, items, maximum, maxItems, maxLength, minimum, type = 'any' } = field;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (items)
    return `array of ${items.enum ? describeType(items) : `${items.type}s`}${maxItems === undefined ? '' : `, at most ${maxItems.toLocaleString('en-US')}`}`;
  const range =
    minimum === undefined && maximum === undefined
      ? ''
      : `, ${minimum ?? ''}…${maximum?.toLocaleString('en-US') ?? ''}`;
  return `${type}${range}${maxLength === undefined ? '' : `, at most ${maxLength.toLocaleString('en-US')} characters`}`;
}

function cell(text = ''): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
