/** Texts for GitLab: no line may be taken for a quick action, and suggestions name the lines they replace. */

import type { SuggestedLines } from '../port.ts';

/**
 * GitLab carries out lines such as `/merge` or `/close` in what is posted, with the rights of our token. It leaves
 * out code between a line that starts with three backticks and a line that consists of them, so we do the same there
 * and nowhere else.
 */
export function withoutQuickActions(text: string): string {
  const lines = text.split('\n');
  let codeUntil = -1;
  return lines
    .map((line, index) => {
      if (index <= codeUntil) return line;
      if (/^```[^`]*$/.test(line)) {
        codeUntil = lines.findIndex((other, at) => at > index && other.trimEnd() === '```');
        return line;
      }
      return line.replace(/^(\s*)\/(?=\w)/, '$1\\/');
    })
    .join('\n');
}

/** GitHub's ```suggestion replaces the lines of its comment; GitLab counts them back from the last one. */
export function withSuggestionRange(text: string, { endLine, startLine }: SuggestedLines): string {
  if (endLine <= startLine) return text;
  return text.replaceAll(/^```suggestion[ \t]*$/gm, `\`\`\`suggestion:-${endLine - startLine}+0`);
}

/** Suggestions that replace exactly the lines of their thread, as the other hosts write them. */
export function withoutSuggestionRange(text: string, { endLine, startLine }: SuggestedLines): string {
  if (startLine === 0) return text;
  return text.replaceAll(/^(`{3,})suggestion:-(\d+)\+0[ \t]*$/gm, (block, fence: string, above: string) =>
    Number(above) === endLine - startLine ? `${fence}suggestion` : block,
  );
}
