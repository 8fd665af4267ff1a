/** Keys for discussions: n and p go to the next and previous open one, r replies, e resolves or reopens, y confirms. */
import { useToast } from '../../../components/toast.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import { type Discussion, isMaybe } from '../../../parts/pull-request/threads/discussion-data.ts';
import type { DiscussionActions } from '../threads/use-discussion-actions.ts';

export function useDiscussionKeys(given: {
  active: Discussion | undefined;
  actions: DiscussionActions;
  onStep(by: 1 | -1): boolean;
}): void {
  const { actions, active, onStep } = given;
  const press = (action: 'reply' | 'settle') => () => {
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
    { keys: ['e'], meaning: 'Resolve or reopen', act: press('settle') },
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
