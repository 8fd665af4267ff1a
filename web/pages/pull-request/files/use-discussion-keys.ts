/** Keys for discussions: n and p go to the next and previous open one, r replies, q quotes, e resolves or reopens, y confirms, a applies a suggestion, b collects it. */
import { useToast } from '../../../components/toast.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import { type Discussion, isMaybe } from '../../../parts/pull-request/threads/discussion-data.ts';
import { commentOfSelection } from '../threads/quote.ts';
import type { DiscussionActions } from '../threads/use-discussion-actions.ts';

export function useDiscussionKeys(given: {
  active: Discussion | undefined;
  actions: DiscussionActions;
  onStep(by: 1 | -1): boolean;
}): void {
  const { actions, active, onStep } = given;
  const press = (action: 'reply' | 'settle' | 'apply' | 'batch') => () => {
    const card = active && document.querySelector(`[data-discussion="${active.id}"]`);
    const button = card?.querySelector<HTMLElement>(`[data-action="${action}"]`);
    button?.click();
    return button !== null && button !== undefined;
  };
  const toast = useToast();
  const step = (by: 1 | -1) => () => {
    if (!onStep(by)) toast('No open discussions.');
    return true;
  };
  usePageShortcuts([
    { keys: ['n'], meaning: 'Next open discussion', act: step(1) },
    { keys: ['p'], meaning: 'Previous open discussion', act: step(-1) },
    { keys: ['r'], meaning: 'Reply', act: press('reply') },
    {
      keys: ['q'],
      meaning: 'Reply with a quote of the selected text, or of the last comment',
      act() {
        const card = document.querySelector(`[data-discussion="${active?.id}"]`);
        const buttons = [...(card ?? document).querySelectorAll<HTMLElement>('[data-quote]')];
        const selected = commentOfSelection();
        const button = selected ? buttons.find(({ dataset }) => dataset.quote === selected) : undefined;
        const chosen = button ?? (card ? buttons.at(-1) : undefined);
        chosen?.click();
        return chosen !== undefined;
      },
    },
    { keys: ['e'], meaning: 'Resolve or reopen', act: press('settle') },
    { keys: ['a'], meaning: 'Apply the suggestion', act: press('apply') },
    { keys: ['b'], meaning: 'Add the suggestion to the batch, or remove it', act: press('batch') },
    {
      keys: ['y'],
      meaning: 'Confirm that it is addressed',
      act() {
        if (!active || !isMaybe(active) || !active.allowedActions.includes('resolve')) return false;
        void actions.resolve(active);
        return true;
      },
    },
  ]);
}
