/** Quotes a comment for a reply: the part of it that is selected, or all of it. */

/** Marks the text of a comment on the page. */
export const COMMENT_TEXT = 'data-comment-text';

export function quoteOf(commentId: string, body: string): string {
  const lines = (selectedIn(commentId) ?? body).trim().split('\n');
  return `${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`;
}

function selectedIn(commentId: string): string | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim();
  return text && commentOfSelection(selection) === commentId ? text : undefined;
}

/** The comment that the selection begins and ends in. */
export function commentOfSelection(selection = getSelection()): string | undefined {
  if (!selection || selection.isCollapsed) return undefined;
  const [one, other] = [selection.anchorNode, selection.focusNode].map((node) =>
    (node instanceof Element ? node : node?.parentElement)
      ?.closest(`[${COMMENT_TEXT}]`)
      ?.getAttribute(COMMENT_TEXT),
  );
  return one && one === other ? one : undefined;
}
