/** Lets readers tick the task lists of a text. */
import { createContext, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useToast } from '../components/toast.tsx';
import { toggleTask } from './toggle-task.ts';

/** Called with where the list item begins in the source. Undefined: tasks are only shown. */
export const ToggleTask = createContext<((start: number) => void) | undefined>(undefined);

interface TickableProps {
  content: string;
  /** Undefined for those who can't edit it. Rejects if the text isn't `before` any more. */
  save: ((change: { before: string; after: string }) => Promise<void>) | undefined;
  /** Shows the text as it is after the ticks that are being saved. */
  children(content: string): ReactNode;
}

interface Ticked {
  text: string;
  /** It was saved, and the page had this text then: the next one takes its place. */
  until?: string;
}

/** A tick during the saving of another one is saved after it. */
export function Tickable({ children, content, save }: TickableProps) {
  const toast = useToast();
  const [ticked, setTicked] = useState<Ticked>();
  const wanted = useRef<string>(undefined);
  const latest = useRef({ content, save });
  latest.current = { content, save };
  const toggle = useMemo(() => {
    const saveAll = async () => {
      let before = latest.current.content;
      try {
        while (wanted.current !== undefined && wanted.current !== before) {
          const after = wanted.current;
          await latest.current.save?.({ before, after });
          before = after;
        }
        setTicked((now) => now && { ...now, until: latest.current.content });
      } catch (error) {
        setTicked(undefined);
        toast((error as Error).message, 'danger');
      }
      wanted.current = undefined;
    };
    return (start: number) => {
      const isSaving = wanted.current !== undefined;
      const after = toggleTask(wanted.current ?? latest.current.content, start);
      if (after === undefined) return;
      wanted.current = after;
      setTicked({ text: after });
      if (!isSaving) void saveAll();
    };
  }, [toast]);
  const isOver = ticked?.until !== undefined && ticked.until !== content;
  useEffect(() => {
    if (isOver) setTicked(undefined);
  }, [isOver]);
  return (
    <ToggleTask value={save && toggle}>{children(ticked && !isOver ? ticked.text : content)}</ToggleTask>
  );
}
