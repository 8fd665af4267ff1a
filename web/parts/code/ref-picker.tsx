/** Picks a branch, tag or commit: a button that shows it, with a searchable list. */
import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { ChevronDown, GitBranch, GitCommitHorizontal, Tag } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { useSettled } from '../../components/use-settled.ts';
import type { Repository } from '../repositories/repository-state.tsx';
import { isFullCommit, shortCommit } from './code-queries.ts';
import { MarkedText } from './marked-text.tsx';

type Found = CallOutput<'list-refs'>['refs'][number];

const MAX_SHOWN = 30;
const PAUSE_MS = 150;
const COMMIT = /^[\da-f]{4,64}$/i;

interface RefPickerProps {
  repository: Repository;
  /** Undefined is the default branch. */
  current: string | undefined;
  onPick(ref: string | undefined): void;
}

export function RefPicker(props: RefPickerProps) {
  const [open, setOpen] = useState(false);
  const { current, repository } = props;
  const shown = current ?? repository.defaultBranch ?? 'HEAD';
  const isCommit = isFullCommit(shown);
  const Icon = isCommit ? GitCommitHorizontal : GitBranch;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="inline-flex h-9 max-w-full min-w-0 items-center gap-2 rounded-md border border-line bg-raised px-3 text-sm font-medium hover:border-strong-line hover:bg-sunken">
        <Icon className="size-4 shrink-0 text-quiet" aria-hidden="true" />
        <span className="sr-only">Branch, tag or commit: </span>
        <span className={`truncate ${isCommit ? 'font-mono text-[0.8125rem]' : ''}`}>
          <MarkedText text={isCommit ? shortCommit(shown) : shown} />
        </span>
        <ChevronDown className="size-4 shrink-0 text-quiet" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Branches, tags and commits"
          className="appear z-[45] w-[min(24rem,calc(100vw-1rem))] overflow-hidden rounded-lg border border-line bg-raised shadow-xl"
        >
          <Choices
            {...props}
            onPick={(ref) => {
              setOpen(false);
              props.onPick(ref);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Mounted only while it is open, so that it opens empty. */
function Choices({ repository, onPick }: RefPickerProps) {
  const [typed, setTyped] = useState('');
  const [entered, setEntered] = useState(false);
  const text = useSettled(typed.trim(), PAUSE_MS);
  const branches = useRefs(repository.id, 'branch', text);
  const tags = useRefs(repository.id, 'tag', text);
  const commit = COMMIT.test(typed.trim()) ? typed.trim().toLowerCase() : undefined;
  const error = branches.error ?? tags.error;
  const isBranch = (name: string) => branches.data?.refs.some((ref) => ref.name === name) === true;
  const pickBranch = ({ isDefault, name }: Found) => onPick(isDefault ? undefined : name);
  // A plain name means the branch where a tag has the same name.
  const pickTag = ({ name }: Found) => onPick(isBranch(name) ? `refs/tags/${name}` : name);
  // While results for the typed text are still loading, Enter waits for them.
  const isLoading =
    typed.trim() !== text ||
    [branches, tags].some(({ data, error, isPlaceholderData }) => isPlaceholderData || (!data && !error));
  useEffect(() => {
    if (!entered || isLoading) return;
    setEntered(false);
    const branch = bestRef(branches.data?.refs, text);
    const tag = bestRef(tags.data?.refs, text);
    if (branch && (branch.name === text || tag?.name !== text)) pickBranch(branch);
    else if (tag) pickTag(tag);
    else if (commit) onPick(commit);
  });
  const isNone = branches.data?.refs.length === 0 && tags.data?.refs.length === 0 && !commit;
  return (
    <Command
      label="Branches, tags and commits"
      loop
      shouldFilter={false}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !isLoading) return;
        event.preventDefault();
        setEntered(true);
      }}
    >
      <Command.Input
        value={typed}
        onValueChange={(value) => {
          setTyped(value);
          setEntered(false);
        }}
        placeholder="Find a branch, tag or commit"
        className="h-11 w-full border-b border-line bg-transparent px-3.5 text-sm outline-none placeholder:text-quiet"
      />
      <Command.List className="max-h-80 overflow-y-auto p-1.5">
        {commit && (
          <Choice
            value={`commit ${commit}`}
            onSelect={() => onPick(commit)}
            icon={<GitCommitHorizontal className="size-4 shrink-0 text-quiet" aria-hidden="true" />}
          >
            Commit <span className="font-mono text-[0.8125rem]">{commit}</span>
          </Choice>
        )}
        <Refs
          title="Branches"
          found={branches.data}
          icon={<GitBranch className="size-4 shrink-0 text-quiet" aria-hidden="true" />}
          onPick={pickBranch}
        />
        <Refs
          title="Tags"
          found={tags.data}
          icon={<Tag className="size-4 shrink-0 text-quiet" aria-hidden="true" />}
          onPick={pickTag}
        />
        {isNone && <p className="px-2 py-6 text-center text-sm text-quiet">No matching branches or tags</p>}
        {error && <p className="px-2 py-3 text-sm text-danger">{error.message}</p>}
      </Command.List>
    </Command>
  );
}

/** The ref with exactly this name, or else the first. */
function bestRef(refs: Found[] | undefined, name: string): Found | undefined {
  return refs?.find((ref) => ref.name === name) ?? refs?.[0];
}

function Refs(props: {
  title: string;
  found: CallOutput<'list-refs'> | undefined;
  icon: ReactNode;
  onPick(ref: Found): void;
}) {
  const { found, icon, onPick, title } = props;
  if (!found || found.refs.length === 0) return null;
  return (
    <Command.Group
      heading={title}
      className="**:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-quiet"
    >
      {found.refs.map((ref) => (
        <Choice key={ref.name} value={`${ref.kind} ${ref.name}`} onSelect={() => onPick(ref)} icon={icon}>
          <MarkedText text={ref.name} />
          {ref.isDefault && <span className="text-xs text-quiet"> · default</span>}
        </Choice>
      ))}
      {found.nextCursor !== null && <p className="px-2 py-1 text-xs text-quiet">Type to find more.</p>}
    </Command.Group>
  );
}

function Choice(props: { value: string; icon: ReactNode; children: ReactNode; onSelect(): void }) {
  return (
    <Command.Item
      value={props.value}
      onSelect={props.onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-sm data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent"
    >
      {props.icon}
      <span className="min-w-0 flex-1 wrap-anywhere">{props.children}</span>
    </Command.Item>
  );
}

function useRefs(repositoryId: string, kind: Found['kind'], search: string) {
  return useQuery({
    queryKey: ['list-refs', repositoryId, kind, search],
    queryFn: ({ signal }) => call('list-refs', { repositoryId, kind, search, limit: MAX_SHOWN }, { signal }),
    placeholderData: (before) => before,
  });
}
