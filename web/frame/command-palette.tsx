/** The command palette: pages, commands, plans, repositories and files by a few letters. */
import { useNavigate } from '@tanstack/react-router';
import { Command, defaultFilter } from 'cmdk';
import { File, FileText, FolderGit2, GitPullRequest, Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useState } from 'react';
import { useFocusBack } from '../components/focus-back.ts';
import { Keys } from '../components/kbd.tsx';
import { lookOf } from '../components/plan-status.tsx';
import type { NavItem } from './navigation.ts';
import { usePaletteCommands } from './palette-commands.tsx';
import {
  type FoundFile,
  useCurrentRepository,
  useFoundFiles,
  useFoundRepositories,
} from './use-found-code.ts';
import { useFoundPlans } from './use-found-plans.ts';
import { useFoundPullRequests } from './use-found-pull-requests.ts';

/** The prefix of the values of entries that search; no command and no id starts with it. */
const SEARCH = 'search ';

interface PaletteProps {
  open: boolean;
  items: NavItem[];
  onClose(): void;
  openHelp(): void;
}

export function CommandPalette(props: PaletteProps) {
  const { onClose, open } = props;
  const focusBack = useFocusBack(open);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={focusBack}
          className="appear fixed inset-x-4 top-[max(1rem,14dvh)] z-50 mx-auto max-w-lg overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Entries {...props} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Mounted only while the palette is open, so that it opens empty. */
function Entries({ items, onClose, openHelp }: PaletteProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const plans = useFoundPlans(typed);
  const pullRequests = useFoundPullRequests(typed);
  const repositories = useFoundRepositories(typed);
  const files = useFoundFiles(typed);
  const { ref, repository } = useCurrentRepository();
  const search = typed.trim();
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  const commands = usePaletteCommands(items, openHelp);
  // cmdk's own filter would drop plans that match by content and not by title.
  const matching = commands
    .map((command) => ({ ...command, score: search === '' ? 1 : defaultFilter(command.name, search) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  // Results arrive after the entries below them: Enter then opens the first result, not the search.
  const firstResult =
    matching.length > 0
      ? undefined
      : (plans[0]?.seriesId ??
        pullRequests[0]?.id ??
        repositories[0]?.id ??
        (files[0] && fileValue(files[0])));
  useEffect(() => {
    if (firstResult) setChosen((before) => (before.startsWith(SEARCH) ? firstResult : before));
  }, [firstResult]);
  return (
    <Command label="Search and commands" loop shouldFilter={false} value={chosen} onValueChange={setChosen}>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Search pages, plans, pull requests, repositories and files"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-sm outline-none placeholder:text-quiet"
      />
      <Command.List className="max-h-[min(28rem,60dvh)] overflow-y-auto p-2">
        {matching.map(({ act, icon, keys, name }) => (
          <Entry key={name} value={name} keys={keys} onSelect={run(act)} icon={icon}>
            {name}
          </Entry>
        ))}
        {search !== '' &&
          plans.map(({ reviewState, seriesId, status, title }) => (
            <Entry
              key={seriesId}
              value={seriesId}
              onSelect={run(() => void navigate({ to: '/plans/$seriesId', params: { seriesId } }))}
              icon={<FileText className="size-4 shrink-0" aria-hidden="true" />}
            >
              {title} <span className="text-xs text-quiet">· {lookOf({ reviewState, status }).name}</span>
            </Entry>
          ))}
        {pullRequests.map(({ id, number, repository: { name }, title }) => (
          <Entry
            key={id}
            value={id}
            onSelect={run(
              () => void navigate({ to: '/pull-requests/$pullRequestId', params: { pullRequestId: id } }),
            )}
            icon={<GitPullRequest className="size-4 shrink-0" aria-hidden="true" />}
          >
            {title}{' '}
            <span className="text-xs text-quiet">
              · {name}#{number}
            </span>
          </Entry>
        ))}
        {repositories.map(({ id, name }) => (
          <Entry
            key={id}
            value={id}
            onSelect={run(
              () => void navigate({ to: '/repositories/$repositoryId', params: { repositoryId: id } }),
            )}
            icon={<FolderGit2 className="size-4 shrink-0" aria-hidden="true" />}
          >
            {name} <span className="text-xs text-quiet">· repository</span>
          </Entry>
        ))}
        {files.map((file) => (
          <Entry
            key={fileValue(file)}
            value={fileValue(file)}
            onSelect={run(
              () =>
                void navigate({
                  to: '/repositories/$repositoryId',
                  params: { repositoryId: file.repositoryId },
                  search: { ...(file.ref && { ref: file.ref }), path: file.path },
                }),
            )}
            icon={<File className="size-4 shrink-0" aria-hidden="true" />}
          >
            {file.path} <span className="text-xs text-quiet">· {file.repositoryName}</span>
          </Entry>
        ))}
        {search !== '' && repository && (
          <Entry
            value={`${SEARCH}code ${search}`}
            onSelect={run(
              () =>
                void navigate({
                  to: '/repositories/$repositoryId/search',
                  params: { repositoryId: repository.id },
                  search: { ...(ref && { ref }), query: search },
                }),
            )}
            icon={<Search className="size-4 shrink-0" aria-hidden="true" />}
          >
            Search code in {repository.name} for “{search}”
          </Entry>
        )}
        {search !== '' && (
          <Entry
            value={`${SEARCH}all code ${search}`}
            onSelect={run(() => void navigate({ to: '/search', search: { query: search } }))}
            icon={<Search className="size-4 shrink-0" aria-hidden="true" />}
          >
            Search code {repository && 'in all repositories '}for “{search}”
          </Entry>
        )}
        {search !== '' && (
          <Entry
            value={`${SEARCH}plans ${search}`}
            onSelect={run(() => void navigate({ to: '/plans', search: { search } }))}
            icon={<Search className="size-4 shrink-0" aria-hidden="true" />}
          >
            Search plans for “{search}”
          </Entry>
        )}
      </Command.List>
    </Command>
  );
}

function fileValue({ path, repositoryId }: FoundFile): string {
  return `file ${repositoryId} ${path}`;
}

function Entry(props: {
  icon: ReactNode;
  value: string;
  children: ReactNode;
  keys?: string[];
  onSelect(): void;
}) {
  const { children, icon, keys, onSelect, value } = props;
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Keys keys={keys} />}
    </Command.Item>
  );
}
