/** The body of a review with the comments that could not be placed on lines or files. */
import type { NewThread } from './port.ts';

export function bodyWithComments(body: string, comments: NewThread[]): string {
  const parts = comments.map((comment) => `**${placeOf(comment)}**\n\n${comment.body}`);
  return [body, ...parts].filter((part) => part.trim() !== '').join('\n\n---\n\n');
}

function placeOf({ endLine, file, side, startLine }: NewThread): string {
  // A path can contain anything, backticks included.
  const name = `\`${file.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
  if (endLine === 0) return name;
  const lines = startLine === endLine ? `line ${endLine}` : `lines ${startLine}–${endLine}`;
  return `${name}, ${lines}${side === 'old' ? ' (before this change)' : ''}`;
}
