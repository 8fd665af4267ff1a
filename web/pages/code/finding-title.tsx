/** The title of a finding: names between backticks as code, invisible characters made visible. */
import { withMarks } from './marked-text.tsx';

export function FindingTitle({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order.
      <code key={index} className="font-mono text-[0.92em]">
        {withMarks(part)}
      </code>
    ) : (
      withMarks(part)
    ),
  );
}
