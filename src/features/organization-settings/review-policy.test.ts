/** When a pull request is reviewed, approved and described, with each setting on and off. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORGANIZATION_SETTINGS, SETTING_KEYS, type SettingKey } from './contract.ts';
import {
  mayApproveClean,
  mayWriteDescription,
  type ReviewablePullRequest,
  type ReviewTrigger,
  type Settings,
  shouldReview,
} from './review-policy.ts';
import type { SettingState } from './setting-conditions.ts';

const REPOSITORY = '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e10';

function settingsWith(changed: Partial<Record<SettingKey, boolean | Partial<SettingState>>> = {}): Settings {
  return Object.fromEntries(
    SETTING_KEYS.map((key) => {
      const set = changed[key];
      const state = typeof set === 'boolean' ? { enabled: set } : set;
      return [key, { enabled: ORGANIZATION_SETTINGS[key].default, conditions: {}, ...state }];
    }),
  ) as unknown as Settings;
}

const first: ReviewablePullRequest = {
  repositoryId: REPOSITORY,
  authorNames: ['Ada Lovelace', 'ada@acme.example', 'ada'],
  files: [
    { path: 'src/a.ts', lines: 30 },
    { path: 'docs/a.md', lines: 10 },
  ],
  state: 'open',
  reviewedHeads: 0,
  isHeadReviewed: false,
};
const later = { ...first, reviewedHeads: 1 };
const reviewed = { ...later, isHeadReviewed: true };
const draft: ReviewablePullRequest = { ...first, state: 'draft' };

const runs = (
  trigger: ReviewTrigger,
  pullRequest: ReviewablePullRequest,
  changed: Parameters<typeof settingsWith>[0] = {},
) => shouldReview(trigger, settingsWith(changed), pullRequest).review;

describe('each setting, on and off', () => {
  it('review_draft_pull_requests', () => {
    expect(runs('opened', draft, { review_draft_pull_requests: true })).toBe(true);
    expect(runs('opened', draft, { review_draft_pull_requests: false })).toBe(false);
    expect(runs('ready', first, { review_draft_pull_requests: false })).toBe(true);
    expect(runs('ready', reviewed)).toBe(false);
  });

  it('review_on_every_push', () => {
    expect(runs('pushed', later, { review_on_every_push: true })).toBe(true);
    expect(runs('pushed', later, { review_on_every_push: false })).toBe(false);
    // The first head that could be reviewed: earlier ones were drafts or superseded.
    expect(runs('pushed', first, { review_on_every_push: false })).toBe(true);
  });

  it('review_only_on_request', () => {
    for (const trigger of ['opened', 'pushed', 'ready', 'resolved'] as const) {
      expect(runs(trigger, first, { review_only_on_request: true })).toBe(false);
      expect(runs(trigger, first, { review_only_on_request: false })).toBe(true);
    }
    expect(runs('requested', reviewed, { review_only_on_request: true })).toBe(true);
  });

  it('re_review_after_resolution', () => {
    expect(runs('resolved', reviewed, { re_review_after_resolution: true })).toBe(true);
    expect(runs('resolved', reviewed, { re_review_after_resolution: false })).toBe(false);
  });

  it('auto_approve_clean', () => {
    expect(mayApproveClean(settingsWith({ auto_approve_clean: true }), first)).toBe(true);
    expect(mayApproveClean(settingsWith(), first)).toBe(false);
    const excluding = { enabled: true, conditions: { excludedPaths: ['docs/'] } };
    expect(mayApproveClean(settingsWith({ auto_approve_clean: excluding }), first)).toBe(false);
  });

  it('generate_description', () => {
    expect(mayWriteDescription(settingsWith({ generate_description: true }), first)).toBe(true);
    expect(mayWriteDescription(settingsWith(), first)).toBe(false);
  });
});

describe('conditions', () => {
  const onlyOnRequest = (conditions: SettingState['conditions']) =>
    !runs('opened', first, { review_only_on_request: { enabled: true, conditions } });

  it.each([
    [{ repositories: [REPOSITORY] }, true],
    [{ repositories: ['0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e11'] }, false],
    [{ authors: ['ADA@acme.example'] }, true],
    [{ authors: ['grace', ' Ada '] }, true],
    [{ authors: ['Ada L'] }, false],
    [{ maxLines: 40 }, true],
    [{ maxLines: 39 }, false],
    [{ maxLines: 39, excludedPaths: ['*.md'] }, true],
    [{ maxFiles: 2 }, true],
    [{ maxFiles: 1 }, false],
    [{ maxFiles: 1, excludedPaths: ['docs/**'] }, true],
    [{ excludedPaths: ['docs/', '/src/**'] }, false],
    [{ excludedPaths: ['/lib/'] }, true],
    [{ repositories: [REPOSITORY], authors: ['ada'], maxFiles: 1 }, false],
  ])('%j: %s', (conditions, met) => {
    expect(onlyOnRequest(conditions)).toBe(met);
  });

  it('of a setting that is off have no effect', () => {
    const off = { enabled: false, conditions: { repositories: [REPOSITORY] } };
    expect(runs('opened', first, { review_only_on_request: off })).toBe(true);
  });

  it('apply to a pull request without any changes, such as an empty commit', () => {
    const empty = { ...first, files: [] };
    const excluding = { enabled: true, conditions: { excludedPaths: ['docs/'] } };
    expect(runs('opened', empty, { review_only_on_request: excluding })).toBe(false);
  });
});

it('says why nothing runs, and a requested review always runs', () => {
  const pullRequests = fc.record({
    ...Object.fromEntries(Object.entries(first).map(([name, value]) => [name, fc.constant(value)])),
    state: fc.constantFrom('open', 'draft', 'merged', 'closed'),
    reviewedHeads: fc.nat(3),
    isHeadReviewed: fc.boolean(),
  }) as fc.Arbitrary<ReviewablePullRequest>;
  const settings = fc.record(
    Object.fromEntries(SETTING_KEYS.map((key) => [key, fc.boolean()])) as Record<
      SettingKey,
      fc.Arbitrary<boolean>
    >,
  );
  const triggers = fc.constantFrom<ReviewTrigger>('opened', 'pushed', 'ready', 'resolved', 'requested');
  fc.assert(
    fc.property(triggers, settings, pullRequests, (trigger, set, pullRequest) => {
      const decision = shouldReview(trigger, settingsWith(set), pullRequest);
      if (trigger === 'requested') expect(decision.review).toBe(true);
      else if (set.review_only_on_request || ['merged', 'closed'].includes(pullRequest.state))
        expect(decision.review).toBe(false);
      if (!decision.review) expect(decision.because).toMatch(/^[A-Z].*\.$/);
    }),
  );
});
