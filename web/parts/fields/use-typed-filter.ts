/** A text filter: the field updates with each key, the address once typing pauses. */
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

export interface TypedFilter {
  text: string;
  type(text: string): void;
  /** Applies immediately. */
  now(): void;
}

export function useTypedFilter(applied: string, apply: (text: string) => void): TypedFilter {
  const [text, setText] = useState(applied);
  const sent = useRef(applied);
  const latestApply = useRef(apply);
  useEffect(() => {
    latestApply.current = apply;
  });
  // Changed elsewhere: by the browser's Back button, or by "Clear filters".
  useEffect(() => {
    if (applied === sent.current) return;
    sent.current = applied;
    setText(applied);
  }, [applied]);
  const send = (wanted: string) => {
    if (wanted === sent.current) return;
    sent.current = wanted;
    latestApply.current(wanted);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the pause.
  useEffect(() => {
    const timer = setTimeout(() => send(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, type: setText, now: () => send(text.trim()) };
}
