/** The process that reviews changes, on request of the service. */
import { setPriority } from 'node:os';
import { compileGlob, serveRequests } from '../search/index.ts';
import { CHECKS } from './checks/index.ts';
import { openGitReviewCode } from './git-review-code.ts';
import type { ReviewProcessRequests } from './messages.ts';
import { runReview } from './run-review.ts';

/** Lower priority than anything that a user waits for. */
const PRIORITY = 10;

setPriority(PRIORITY);

serveRequests<ReviewProcessRequests, { gitDir: string }>({
  async reviewChange({ gitDir }, { excludedPaths, from, reviewers, to }, { signal }) {
    const code = openGitReviewCode({ gitDir, base: from, head: to, signal });
    try {
      return await runReview(code, {
        checks: CHECKS.filter(({ reviewer }) => reviewers.includes(reviewer)),
        isExcluded: matcherOf(excludedPaths),
        // What is posted and what is held back depends on earlier runs, which the service knows.
        maxFindings: Number.POSITIVE_INFINITY,
      });
    } finally {
      code.close();
    }
  },
});

/** Globs are checked when they are saved; one that no longer compiles excludes nothing. */
function matcherOf(globs: string[]): (path: string) => boolean {
  const compiled = globs.map(compileGlob).flatMap((each) => (each.ok ? [each.glob] : []));
  return (path) => {
    const bytes = Buffer.from(path);
    return compiled.some((glob) => glob.matches(bytes, 0, bytes.length));
  };
}
