/** What an agent does next, by where its plan stands. */

const NEXT: Record<string, string> = {
  pending:
    'people have not approved it yet. `get_plan_comments` shows what they want; `wait_for_plan_review` waits.',
  approved: 'it is approved. Write the code, then `link_plan_to_pr`.',
  implemented: 'a pull request stands for it. There is nothing more to do here unless people ask.',
  closed: 'people closed it. Do not write the code; ask the user how to go on.',
};

export function nextForStatus(status: string): string {
  return NEXT[status] ?? 'ask the user how to go on.';
}
