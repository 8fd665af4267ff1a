/**
 * How many tokens are left for a piece of work, and recording what it uses. Asked before each request: what one request uses
 * beyond the limit is known only afterwards. Everything used is written at once, so that a crash loses nothing.
 */
import type { ModelBudgets, ModelUsage } from '../../platform/core/ports/model-endpoint.ts';
import type { Db } from '../../platform/db/index.ts';
import { addUsage, selectMonthUsage, selectPullRequestUsage, type UsageSubject } from './model-store.ts';

export interface Budget {
  left(): number;
  /** The budget with the least left, such as `the monthly budget of 50,000,000 tokens`. */
  tightest(): string;
  use(model: string, usage: ModelUsage): void;
  /** Waits until everything is written. */
  flush(): Promise<void>;
}

export async function openBudget(
  services: { db: Db; now(): Date },
  subject: UsageSubject,
  budgets: ModelBudgets,
): Promise<Budget> {
  const { db, now } = services;
  const { organizationId, pullRequestId } = subject;
  let used = 0;
  /** By others too, and by this piece of work as far as it was written. */
  const known = { month: 0, pullRequest: 0, written: 0 };
  const refresh = async () => {
    const month = await selectMonthUsage(db, organizationId, now());
    known.month = month.inputTokens + month.outputTokens;
    if (pullRequestId === null) return;
    const all = await selectPullRequestUsage(db, organizationId, pullRequestId);
    known.pullRequest = all.inputTokens + all.outputTokens;
  };
  await refresh();
  const limits = () => {
    const unwritten = used - known.written;
    const count = (tokens: number) => tokens.toLocaleString('en-US');
    return [
      { name: `the budget of ${count(budgets.run)} tokens for one review`, left: budgets.run - used },
      ...(pullRequestId === null
        ? []
        : [
            {
              name: `the budget of ${count(budgets.pullRequest)} tokens for one pull request`,
              left: budgets.pullRequest - known.pullRequest - unwritten,
            },
          ]),
      {
        name: `the monthly budget of ${count(budgets.month)} tokens`,
        left: budgets.month - known.month - unwritten,
      },
    ].sort((one, other) => one.left - other.left);
  };
  let writing: Promise<void> = Promise.resolve();
  return {
    left: () => Math.max(0, limits()[0]!.left),
    tightest: () => limits()[0]!.name,
    use(model, usage) {
      const tokens = usage.inputTokens + usage.outputTokens;
      used += tokens;
      writing = writing.then(async () => {
        await addUsage(db, subject, { ...usage, model, at: now() });
        await refresh();
        known.written += tokens;
      });
      // Told by `flush`.
      writing.catch(() => undefined);
    },
    flush: () => writing,
  };
}
