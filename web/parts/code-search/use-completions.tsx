/** Completes the filters of a search: their names, and repositories, paths and languages as their values. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import { writeSearchFilter } from '../../../src/engines/text/index.ts';
import { operationQuery } from '../../api/queries.ts';
import { useSettled } from '../../components/use-settled.ts';
import { bestFirst, globFor } from '../../frame/file-glob.ts';
import { filesQuery } from '../code/code-queries.ts';
import { inOneLine } from '../code/marked-text.tsx';
import { LANGUAGE_NAMES } from './language-names.ts';

const PAUSE_MS = 150;
const MAX_SHOWN = 8;

const MEANINGS: Record<string, string> = {
  repo: 'name or glob of repositories',
  path: 'folder, file or glob',
  lang: 'language',
  branch: 'branch',
  author: 'name or address',
};

/** The word before the cursor. */
interface Typed {
  start: number;
  end: number;
  sign: string;
  /** Undefined while the name of the filter is typed. */
  name: string | undefined;
  text: string;
}

interface Option {
  text: string;
  about?: string;
}

export interface CompletionScope {
  /** Where paths are; undefined when it isn't one repository. */
  repository: string | undefined;
  ref: string | undefined;
  filters: readonly string[];
}

export function useCompletions(
  input: RefObject<HTMLInputElement | null>,
  setText: (text: string) => void,
  scope: CompletionScope,
): {
  list: ReactNode;
  onKeyDown(event: KeyboardEvent): void;
  follow(): void;
  close(): void;
  attributes: object;
} {
  const id = useId();
  const [typed, setTyped] = useState<Typed>();
  // None at first: Enter searches for what was typed.
  const [active, setActive] = useState(-1);
  const options = useOptions(typed, scope);
  const isOpen = typed !== undefined && options.length > 0;

  const close = () => setTyped(undefined);
  const follow = () => {
    const { selectionEnd, selectionStart, value = '' } = input.current ?? {};
    setActive(-1);
    setTyped(
      selectionStart === selectionEnd
        ? readTyped(value.slice(0, selectionEnd ?? 0), scope.filters)
        : undefined,
    );
  };
  const choose = ({ text }: Option) => {
    const element = input.current;
    if (!typed || !element) return;
    const { end, name, sign, start } = typed;
    const written =
      name === undefined
        ? `${sign}${text}`
        : `${writeSearchFilter({ name, value: text, isNegated: sign === '-' })} `;
    const before = element.value.slice(0, start) + written;
    setText(before + element.value.slice(end));
    element.focus();
    // The new text is in the field after React has written it.
    requestAnimationFrame(() => {
      element.setSelectionRange(before.length, before.length);
      follow();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[active] ?? (event.key === 'Tab' && !event.shiftKey ? options[0] : undefined);
    if (move !== undefined) {
      const from = active === -1 && move === -1 ? 0 : active;
      setActive((from + move + options.length) % options.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const list = isOpen && (
    <div
      role="listbox"
      id={id}
      aria-label="Filters"
      className="appear absolute top-full left-0 z-20 mt-1 max-h-72 w-96 max-w-full overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
    >
      {options.map((option, index) => (
        // The field keeps the focus and handles the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the active option is named by the field.
        <div
          key={option.text}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === active}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(option);
          }}
          className={`flex min-h-8 cursor-pointer items-center gap-3 rounded-md px-2 py-1 text-sm ${index === active ? 'bg-accent-soft text-accent' : 'hover:bg-sunken'}`}
        >
          <span className="min-w-0 truncate font-mono text-[0.8125rem]">{inOneLine(option.text)}</span>
          {option.about && (
            <span className="ml-auto text-xs whitespace-nowrap text-quiet">{option.about}</span>
          )}
        </div>
      ))}
    </div>
  );
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list' as const,
    'aria-expanded': isOpen,
    'aria-haspopup': 'listbox' as const,
    ...(isOpen && { 'aria-controls': id }),
    ...(isOpen && active >= 0 && { 'aria-activedescendant': `${id}-${active}` }),
  };
  return { list, onKeyDown, follow, close, attributes };
}

const WORD = /(?:^|\s)(-?)(?:([a-z]+):("?[^\s"]*)|([a-z]*))$/;

function readTyped(before: string, filters: readonly string[]): Typed | undefined {
  const [, sign = '', name, value, word] = WORD.exec(before) ?? [];
  const end = before.length;
  if (name !== undefined && value !== undefined) {
    if (!filters.includes(name)) return undefined;
    const start = end - sign.length - name.length - 1 - value.length;
    return { start, end, sign, name, text: value.replace(/^"/, '') };
  }
  if (word === undefined || (word === '' && sign === '')) return undefined;
  return { start: end - sign.length - word.length, end, sign, name: undefined, text: word };
}

function useOptions(typed: Typed | undefined, scope: CompletionScope): Option[] {
  const text = useSettled(typed?.text ?? '', PAUSE_MS);
  const repositories = useQuery({
    ...operationQuery('list-repositories', { search: text.replaceAll(/[*?[\]{}]/g, ''), limit: MAX_SHOWN }),
    enabled: typed?.name === 'repo',
    placeholderData: keepPreviousData,
  });
  const files = useQuery({
    ...filesQuery({ repository: scope.repository ?? '', ref: scope.ref }, globFor(text)),
    enabled: typed?.name === 'path' && scope.repository !== undefined && text !== '',
    placeholderData: keepPreviousData,
  });
  if (!typed) return [];
  const { name } = typed;
  const wanted = typed.text.toLowerCase();
  if (name === undefined)
    return scope.filters
      .filter((filter) => filter.startsWith(wanted))
      .map((filter) => ({ text: `${filter}:`, about: MEANINGS[filter]! }));
  if (name === 'repo')
    return (repositories.data?.repositories ?? [])
      .filter((each) => each.name.toLowerCase().includes(wanted) && each.name !== typed.text)
      .map((each) => ({ text: each.name }));
  if (name === 'lang')
    return LANGUAGE_NAMES.filter((language) => language.startsWith(wanted) && language !== wanted)
      .slice(0, MAX_SHOWN)
      .map((language) => ({ text: language }));
  if (name === 'path' && wanted !== '') return pathsFor(files.data?.items ?? [], typed.text);
  return [];
}

/** Folders that contain what was typed, then files. */
function pathsFor(files: readonly string[], text: string): Option[] {
  const wanted = text.replace(/^\//, '').toLowerCase();
  if (/[*?[\]{}\\]/.test(wanted)) return [];
  const folders = new Set<string>();
  for (const path of files) {
    const at = path.toLowerCase().indexOf(wanted);
    const end = at === -1 ? -1 : path.indexOf('/', at + wanted.length - (wanted.endsWith('/') ? 1 : 0));
    if (end !== -1) folders.add(path.slice(0, end + 1));
  }
  const literally = (path: string) => path.replaceAll(/[*?[\]{}\\]/g, '\\$&');
  const all = [...[...folders].sort((one, other) => one.length - other.length), ...bestFirst(files, text)];
  return all
    .filter((path) => path !== text)
    .slice(0, MAX_SHOWN)
    .map((path) => ({ text: literally(path), ...(path.endsWith('/') && { about: 'folder' }) }));
}
