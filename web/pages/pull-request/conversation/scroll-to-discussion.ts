/** Scrolls to a discussion that is on the page. */

export function scrollToDiscussion(id: string): void {
  document.querySelector(`[data-discussion="${id}"]`)?.scrollIntoView({ block: 'center' });
}
