/** Text with the names in it, which are between backticks, as code. */
import type { ReactNode } from 'react';

const asIs = (part: string): ReactNode => part;

/** `show` is for text that the service didn't write: it makes invisible characters visible. */
export function TextWithCode({ show = asIs, text }: { text: string; show?: (part: string) => ReactNode }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order.
      <code key={index} className="font-mono text-xs">
        {show(part)}
      </code>
    ) : (
      show(part)
    ),
  );
}

/** The words of a check are written for the middle of a sentence; here they stand alone. */
export function asLabel(words: string): string {
  const plain = words.replaceAll('`', '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
