/** The MCP URL, and how to add it to each agent. */
import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../components/button.tsx';
import { CommandLine, CopyButton } from '../../components/copy.tsx';
import { SecretText } from '../../components/field.tsx';

export function HowToConnect({ address }: { address: string }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid gap-1.5">
        <span className="text-sm font-medium">MCP URL</span>
        <div className="flex items-center gap-2">
          <SecretText label="MCP URL" text={address} />
          <CopyButton text={address} name="Copy MCP URL" />
        </div>
      </div>
      <Tabs.Root defaultValue={WAYS[0]!.id} className="grid grid-cols-1 gap-4">
        <Tabs.List aria-label="Agent" className="-mx-1 flex flex-wrap gap-1 px-1">
          {WAYS.map(({ id, name }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="inline-flex h-8 items-center rounded-full px-3 text-sm whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-accent"
            >
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {WAYS.map(({ id, steps }) => (
          <Tabs.Content key={id} value={id} className="grid grid-cols-1 gap-4 rounded-md">
            {steps(address)}
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </div>
  );
}

const WAYS: { id: string; name: string; steps(address: string): ReactNode }[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    steps: (address) => (
      <>
        <CommandLine
          label="In a terminal"
          text={`claude mcp add --scope user --transport http countersign ${address}`}
        />
        <Then>
          Then type <Typed>/mcp</Typed> in Claude Code and choose countersign. Your browser opens and asks for
          your permission.
        </Then>
      </>
    ),
  },
  {
    id: 'codex',
    name: 'Codex',
    steps: (address) => (
      <>
        <CommandLine label="In a terminal" text={`codex mcp add countersign --url ${address}`} />
        <Then>
          Your browser opens and asks for your permission. If it doesn’t, run{' '}
          <Typed>codex mcp login countersign</Typed>.
        </Then>
      </>
    ),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    steps: (address) => (
      <>
        <CommandLine
          label="In ~/.cursor/mcp.json or a project’s .cursor/mcp.json"
          text={cursorFile(address)}
        />
        <Then>
          Then open MCP in Cursor’s settings and connect countersign. Your browser opens and asks for your
          permission.
        </Then>
      </>
    ),
  },
  {
    id: 'others',
    name: 'Other agents and CI',
    steps: (address) => (
      <>
        <CommandLine
          label="With an API key (Claude Code shown)"
          text={`claude mcp add --scope user --transport http countersign ${address} --header "x-api-key: csk_…"`}
        />
        <Then>
          Without a browser, use an API key in place of <Typed>csk_…</Typed>. Any MCP client that supports
          HTTP works with the URL above and the header <Typed>x-api-key</Typed>.
        </Then>
        <div>
          <ButtonLink to="/settings/api-keys">API keys</ButtonLink>
        </div>
      </>
    ),
  },
];

function cursorFile(address: string): string {
  return JSON.stringify({ mcpServers: { countersign: { url: address } } }, null, 2);
}

function Then({ children }: { children: ReactNode }) {
  return <p className="text-sm text-pretty text-quiet">{children}</p>;
}

function Typed({ children }: { children: string }) {
  return <code className="font-mono text-xs whitespace-nowrap text-text">{children}</code>;
}
