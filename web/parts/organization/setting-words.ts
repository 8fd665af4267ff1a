/** The name of each setting, what to know before changing it, and the section of the page that shows it. */
import type { Setting } from './setting.ts';

interface SettingWords {
  about: 'plans' | 'reviews';
  name: string;
  more: string;
}

export const SETTING_WORDS: Record<Setting['key'], SettingWords> = {
  review_draft_pull_requests: {
    about: 'reviews',
    name: 'Review drafts',
    more: 'When off, a draft is reviewed as soon as it’s marked ready for review.',
  },
  review_on_every_push: {
    about: 'reviews',
    name: 'Review every push',
    more: 'When off, only the first commits are reviewed; later ones when someone requests it.',
  },
  review_only_on_request: {
    about: 'reviews',
    name: 'Review only on request',
    more: 'When on, use Run reviewers on the Findings tab of a pull request.',
  },
  re_review_after_resolution: {
    about: 'reviews',
    name: 'Review again after resolution',
    more: 'The same commits are reviewed again, so that nothing that was resolved too early is missed.',
  },
  auto_resolve_addressed: {
    about: 'reviews',
    name: 'Resolve addressed discussions',
    more: 'They are resolved on the code host too, and reopened if a later commit reverts the change. When off, they are only marked as addressed.',
  },
  auto_approve_clean: {
    about: 'reviews',
    name: 'Approve clean pull requests',
    more: 'A pull request that changes a file that wasn’t looked at is never approved.',
  },
  generate_description: {
    about: 'reviews',
    name: 'Write descriptions',
    more: 'It is kept up to date until someone edits it.',
  },
  planner: {
    about: 'plans',
    name: 'Plans',
    more: 'When off, agents get an error when they post a plan. Existing plans can still be read and reviewed.',
  },
  self_approval: {
    about: 'plans',
    name: 'Self-approval',
    more: 'When off, neither the person who created a plan nor the author of the version can approve it, except in an organization with only one active member. Changing this setting doesn’t affect existing approvals.',
  },
};
