/** Limits of what is read from a code host, so that no host can exhaust this process. */

/** For one reply, decompressed. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;
export const REQUEST_TIMEOUT_MS = 30_000;
export const MAX_REDIRECTS = 3;
/** Per pull request. */
export const MAX_THREADS = 5_000;
export const MAX_COMMENTS = 20_000;
export const MAX_REVIEWS = 2_000;
/** Accounts that reacted to one comment. */
export const MAX_REACTIONS = 20;
/** Comments whose reactions are read, on hosts that need a separate request for each. */
export const MAX_COMMENTS_WITH_REACTIONS = 30;
/** Pages of 100 notes to look through for reactions, on hosts that list them separately. */
export const MAX_REACTION_PAGES = 20;
/** Accounts that can read one repository. */
export const MAX_READERS = 20_000;
/** Accounts in one team or group. */
export const MAX_TEAM_ACCOUNTS = 1000;
/** Teams of one organization that are looked through for one. */
export const MAX_TEAMS_SEARCHED = 1000;
/** Webhooks of one repository that are looked through for ours. */
export const MAX_WEBHOOKS = 300;
/** General comments that are looked through for our summary. */
export const MAX_SUMMARY_SEARCH = 3_000;
/** For one commit; each name and account has one. */
export const MAX_STATUSES = 300;
/** Pages of 100 statuses to look through, where hosts keep every one that was ever set. */
export const MAX_STATUS_PAGES = 10;
/** Pipelines of one commit, newest first, whose jobs are read. */
export const MAX_PIPELINES = 5;
/** For messages of the host that are shown in an error. */
export const MAX_MESSAGE_LENGTH = 300;
