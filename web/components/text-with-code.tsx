/** A message of the service, with its names of commands and settings, which are between backticks, as code. */
export function TextWithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order.
      <code key={index} className="font-mono text-xs">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** The words of a check are written for the middle of a sentence; here they stand alone. */
export function asLabel(words: string): string {
  const plain = words.replaceAll('`', '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
