/** The lines of a file: they are selected by their numbers, their names show definitions, and blame is beside them. */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { CodeLines, MAX_COLORED_LENGTH, type ShownLine } from '../../parts/code/code-lines.tsx';
import type { FilePart } from '../../parts/code/code-queries.ts';
import { languageOf } from '../../parts/code/language-of.ts';
import { inOneLine } from '../../parts/code/marked-text.tsx';
import { NamesArea } from '../../parts/code/names/names-area.tsx';
import { hashOf, linesOf } from '../../parts/code/selected-lines.ts';
import { useBlame } from './blame-margin.tsx';
import type { CodeProps } from './code-props.ts';

/** A line within this fraction of the window's height needs no scrolling. */
const SEEN_PART = 0.75;

export function FileLines({
  repository,
  path,
  parts,
  hasBlame,
}: Pick<CodeProps, 'path' | 'repository'> & { parts: FilePart[]; hasBlame: boolean }) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId' });
  const hash = useLocation({ select: (location) => location.hash });
  const selected = useMemo(() => linesOf(hash), [hash]);
  const lines = useMemo(() => parts.flatMap(linesIn), [parts]);
  const box = useRef<HTMLDivElement>(null);
  const chosenHere = useRef(false);
  const first = selected?.first;
  useEffect(() => {
    // The page was opened at this line, or the user went back to it; a line that was just clicked is already visible.
    const line = first !== undefined && box.current?.querySelector(`[data-line="${first}"]`);
    if (line && !chosenHere.current && line.getBoundingClientRect().bottom > innerHeight * SEEN_PART)
      line.scrollIntoView({ block: 'center' });
    chosenHere.current = false;
  }, [first]);
  const isPlain = parts.reduce((length, { text }) => length + text.length, 0) > MAX_COLORED_LENGTH;
  const [{ commit }] = parts as [FilePart];
  const blame = useBlame({ repository, path, parts, isOn: hasBlame });
  const placeOf = useCallback(
    (text: HTMLElement) => ({
      repository: repository.name,
      repositoryId: repository.id,
      commit,
      path,
      line: Number(text.closest<HTMLElement>('[data-line]')?.dataset.line),
    }),
    [commit, path, repository.id, repository.name],
  );
  return (
    <div ref={box}>
      {blame.notice}
      {isPlain && (
        <p className="border-b border-line px-4 py-2 text-[0.8125rem] text-quiet">
          This file is too large for syntax highlighting.
        </p>
      )}
      <NamesArea placeOf={placeOf} chosenLine=".line.selected">
        <CodeLines
          marginOf={blame.marginOf}
          label={`Lines of ${inOneLine(path)}`}
          language={languageOf(path)}
          lines={lines}
          selected={selected}
          onSelect={(chosen) => {
            chosenHere.current = true;
            void navigate({ search: true, hash: hashOf(chosen), replace: true, resetScroll: false });
          }}
        />
      </NamesArea>
      {blame.details}
    </div>
  );
}

function linesIn({ endLine, startLine, text }: FilePart): ShownLine[] {
  const texts = text.split('\n');
  return Array.from({ length: endLine - startLine + 1 }, (_, index) => ({
    number: startLine + index,
    text: texts[index] ?? '',
  }));
}
