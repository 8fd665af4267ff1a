/** Renders the Markdown used in our descriptions: headings, lists, paragraphs, links and code. */
import { escapeHtml } from './page-frame.ts';

export function renderMarkdown(text: string): string {
  return text
    .split(/\n\n+/)
    .map((block) => {
      if (block.startsWith('## ')) return `<h2>${renderInline(block.slice(3))}</h2>`;
      if (block.startsWith('- ')) {
        const items = block.split(/\n(?=- )/).map((item) => `<li>${renderInline(item.slice(2))}</li>`);
        return `<ul>${items.join('')}</ul>`;
      }
      return `<p>${renderInline(block)}</p>`;
    })
    .join('\n');
}

/** Code in backticks and links; everything else is text. */
export function renderInline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\((https?:\/\/[^)\s]+|\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
}
