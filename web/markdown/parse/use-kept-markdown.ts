/** Like `useMarkdown`, but while a text is parsed that differs only in what is ticked, the one before it is kept. */
import { useState } from 'react';
import type { Parsed } from '../tree.ts';
import { useMarkdown } from './use-markdown.ts';

export function useKeptMarkdown(content: string): {
  parsed: Parsed | undefined;
  /** The same for texts that differ only in what is ticked, so that the focus stays where it is. */
  key: string;
} {
  const latest = useMarkdown(content);
  const key = content.replaceAll(/\[[ xX]\]/g, '[ ]');
  const [kept, setKept] = useState({ key, parsed: latest });
  if (latest && kept.parsed !== latest) setKept({ key, parsed: latest });
  return { key, parsed: latest ?? (kept.key === key ? kept.parsed : undefined) };
}
