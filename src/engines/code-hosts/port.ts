/**
 * The interface to a code host, whichever it is: types only. Every function can throw a `HostError`
 * (host-error.ts). Ids are text that only the adapter interprets; nothing else of a host leaves its adapter.
 */

export type HostKind = 'github' | 'gitlab' | 'gitea';

/** Can depend on the server's version and on the credential, so it is asked for (`can`). */
export interface Capabilities {
  /** Review threads with replies. */
  threads: boolean;
  /** Resolving threads, and reopening them. */
  resolve: boolean;
  /** `setCheck` shows a text; elsewhere it sets a commit status with its title. */
  checks: boolean;
  /** Rendering ```suggestion blocks. */
  suggestions: boolean;
  /** Comments on a whole file. */
  fileComments: boolean;
}

export interface Account {
  id: string;
  login: string;
  /** The display name; null if there is none, or the host does not say it here. */
  name: string | null;
  bot: boolean;
}

export interface Repository {
  id: string;
  /** `owner/name`; with GitLab, groups can be nested. It changes with a rename; the id doesn't. */
  fullName: string;
  /** Not everybody can read it; internal repositories count as private. */
  private: boolean;
  defaultBranch: string | null;
  cloneUrl: string;
  url: string;
  archived: boolean;
  fork: boolean;
  /** The credential may administer it: create webhooks and list readers. */
  admin: boolean;
}

export type PullRequestState = 'open' | 'draft' | 'merged' | 'closed';

export interface PullRequest {
  id: string;
  number: number;
  title: string;
  body: string;
  state: PullRequestState;
  /** Null if the account was deleted. */
  author: Account | null;
  head: {
    branch: string;
    /** Null only if the host doesn't say it in this reply (see `pullRequest`). */
    commit: string | null;
    /** Null if the fork was deleted. Differs from the repository for forks. */
    repository: { id: string; fullName: string } | null;
  };
  base: { branch: string; commit: string | null };
  labels: string[];
  requestedReviewers: Account[];
  /** `slug` is the last part of its path: `platform` in `acme/platform`. */
  requestedTeams: { name: string; slug: string }[];
  mergeCommit: string | null;
  url: string;
  createdAt: Date;
  updatedAt: Date;
  mergedAt: Date | null;
  closedAt: Date | null;
}

/** Reviews of the whole pull request by people and bots, oldest first. The last one of an account counts. */
export interface Verdict {
  id: string;
  account: Account | null;
  verdict: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
  /** The head it was given for, where the host says it. */
  commit: string | null;
  body: string;
  at: Date | null;
  url: string | null;
}

/**
 * Whether the host would merge it. `checking`: it is finding out, and is to be asked again. `blocked`: it can't be merged, and the host
 * doesn't say why, which can also be that it is still finding out.
 */
export type Mergeability = 'checking' | 'clean' | 'conflicts' | 'blocked' | 'unknown';

export interface PullRequestDetails extends PullRequest {
  mergeability: Mergeability;
  verdicts: Verdict[];
}

/** One page of a list. `next` can be stored and used later, with the same options. */
export interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** On some hosts, resolving a thread doesn't update the pull request. */
export interface PullRequestQuery {
  state: 'open' | 'all';
  /** `created` is oldest first and its pages don't shift, for an import; `updated` is newest first, for polling. */
  order: 'created' | 'updated';
  /** With `updated`: ends the list at the first pull request that was last updated before. */
  since?: Date;
  page?: string;
  /** The `etag` of an earlier reply for the same query: if nothing changed since, the reply says only that. */
  etag?: string;
}

export type PullRequestPage =
  | { unchanged: true }
  | (Page<PullRequest> & { unchanged: false; etag: string | null });

export interface CommentRef {
  /** `thread`: in a review thread; `conversation`: a general comment; `review`: the text of a review. */
  kind: 'thread' | 'conversation' | 'review';
  id: string;
}

export interface Comment extends CommentRef {
  author: Account | null;
  body: string;
  createdAt: Date;
  updatedAt: Date;
  url: string | null;
  /** Who reacted with 👎. Only for comments of threads (see `discussion`). */
  thumbsDown: Account[];
}

/** A review thread on lines or on a whole file. */
export interface Thread {
  id: string;
  /** The path at `commit`; for removed lines, the path that the host names. */
  file: string;
  /** `old`: removed lines, numbered as in the merge base of `commit` and the base branch. */
  side: 'new' | 'old';
  /** First and last line at `commit`; 0 and 0 for a whole file. */
  startLine: number;
  endLine: number;
  /** The head that was commented on; null if the host no longer knows it. */
  commit: string | null;
  resolved: boolean;
  resolvedBy: Account | null;
  /** Null if the host doesn't say it. */
  resolvedAt: Date | null;
  /** Oldest first, at least one. */
  comments: Comment[];
}

export interface Discussion {
  threads: Thread[];
  /** General comments of the pull request, oldest first. The texts of reviews are in `verdicts`. */
  conversation: Comment[];
  /** There were more than are read (see limits.ts). */
  truncated: boolean;
}

export interface PullRequestRef {
  /** The full name. */
  repository: string;
  number: number;
}

/** A comment to publish, with lines as in `Thread`. */
export interface NewThread {
  /** The caller's name for it, in the result. */
  key: string;
  file: string;
  side: 'new' | 'old';
  startLine: number;
  endLine: number;
  body: string;
  /** The path before a rename, which some hosts need. */
  previousFile?: string;
}

/** The lines of a thread, which its suggestions replace: some hosts want them in the text. */
export type SuggestedLines = Pick<NewThread, 'startLine' | 'endLine'>;

export interface ReviewBatch {
  /** The head that the lines refer to. */
  commit: string;
  /** Can be empty if there are comments. */
  body: string;
  verdict: 'approve' | 'request_changes' | 'comment';
  comments: NewThread[];
}

export interface PublishedReview {
  /** Null on hosts without reviews. */
  reviewId: string | null;
  comments: {
    key: string;
    /** `body`: neither the lines nor the file could be commented on, so the text is part of the review's body. */
    placed: 'lines' | 'file' | 'body';
    /** Null if it is in the body, or if the host did not say it: then read the threads. */
    commentId: string | null;
  }[];
}

export interface Summary {
  /** The comment that was written before, if it is known. */
  commentId: string | null;
  /** Text in `body` that no other comment of ours has: the comment is looked for before another is written. */
  marker: string;
  body: string;
}

export interface Check {
  /** Identifies the check: setting it again for the same commit replaces it. */
  name: string;
  state: 'pending' | 'success' | 'failure' | 'neutral' | 'error';
  title: string;
  /** Markdown; shown where `can.checks`. */
  text: string;
  /** A page of ours. */
  url: string | null;
}

/** A result of CI or another tool for a commit, ours among them. */
export interface CommitStatus {
  name: string;
  state: 'pending' | 'success' | 'failure' | 'error';
  description: string;
  url: string | null;
  /**
   * The login of the account that set it; null if the host doesn't say it. Apps of GitHub have the login of their bot, such as
   * `github-actions[bot]`, and jobs of GitLab have `GitLab CI`: no account of a person can be called so.
   */
  account: string | null;
}

export interface CommitStatuses {
  /** Once for each name and account. What was skipped is not there: it found nothing. */
  statuses: CommitStatus[];
  /** There were more than are read (see limits.ts). */
  truncated: boolean;
  /** Names the parts that the credential may not read; null if it reads all. */
  unreadable: string | null;
}

/** The address that git fetches from. Don't keep it: the credential can be short-lived. */
export interface FetchAddress {
  url: string;
  credential: { username: string; password: string } | null;
  expiresAt: Date | null;
  /** For branches, tags and the heads of pull requests. */
  refspecs: string[];
}

export interface HostDescription {
  /** Who the service is on this host. */
  account: Account;
  /** Scopes of the credential; empty if the host doesn't say them. */
  scopes: string[];
  /** When the credential expires; null if it doesn't, or the host doesn't say it. */
  expiresAt: Date | null;
  /** The server's version where there is one. */
  version: string | null;
  /** Permissions that the credential lacks. */
  missing: { permission: string; neededFor: string }[];
  can: Capabilities;
}

/** A credential with a host, ready for use. */
export interface CodeHost {
  readonly kind: HostKind;
  can(): Promise<Capabilities>;
  /** Asks the host who we are and what we may do. */
  describe(): Promise<HostDescription>;

  /** Repositories that the credential can read. */
  repositories(page?: string): Promise<Page<Repository>>;
  repository(fullName: string): Promise<Repository>;
  /** Accounts that can read a private repository's code. `truncated`: there are more. */
  readers(fullName: string): Promise<{ accounts: Account[]; truncated: boolean }>;

  /**
   * The accounts in a team or group with this path, such as `acme/platform`; teams belong to the organization that the path begins with.
   * `truncated`: there are more.
   */
  teamMembers(path: string): Promise<{ accounts: Account[]; truncated: boolean }>;

  pullRequests(fullName: string, query: PullRequestQuery): Promise<PullRequestPage>;
  pullRequest(ref: PullRequestRef): Promise<PullRequestDetails>;
  /** Hosts that list reactions apart from comments are asked only about those that `needsReactions` names, if any. */
  discussion(ref: PullRequestRef, needsReactions?: (comment: Comment) => boolean): Promise<Discussion>;

  /** One review. A comment whose lines can't be commented on goes to the file, else into the body. */
  publish(ref: PullRequestRef, batch: ReviewBatch): Promise<PublishedReview>;
  /** Dismisses one of our reviews. Does nothing if it is already gone from the host. */
  dismissReview(ref: PullRequestRef, reviewId: string, message: string): Promise<void>;
  reply(ref: PullRequestRef, threadId: string, body: string, lines?: SuggestedLines): Promise<CommentRef>;
  /** A general comment. */
  comment(ref: PullRequestRef, body: string): Promise<CommentRef>;
  edit(ref: PullRequestRef, comment: CommentRef, body: string, lines?: SuggestedLines): Promise<void>;
  /** Deletes a comment of ours; the text of a review stays. */
  remove(ref: PullRequestRef, comment: CommentRef): Promise<void>;
  /** Only if `can.resolve`. */
  setResolved(ref: PullRequestRef, threadId: string, resolved: boolean): Promise<void>;
  /** Replaces the text of the pull request itself. */
  setDescription(ref: PullRequestRef, body: string): Promise<void>;
  setSummary(ref: PullRequestRef, summary: Summary): Promise<CommentRef>;
  setCheck(fullName: string, commit: string, check: Check): Promise<void>;
  statuses(fullName: string, commit: string): Promise<CommitStatuses>;

  fetchAddress(fullName: string): Promise<FetchAddress>;
  /** Creates the webhook or corrects it. `not_needed`: the host sends events of all repositories already. */
  ensureWebhook(
    fullName: string,
    webhook: { url: string; secret: string },
  ): Promise<'created' | 'updated' | 'not_needed'>;
}

export type WebhookHeaders = Record<string, string | string[] | undefined>;

/** Only a hint: the host is read again, and a payload is not trusted beyond it. */
export type WebhookChange =
  | { kind: 'pull_request'; repository: WebhookRepository; number: number }
  | { kind: 'push'; repository: WebhookRepository }
  /** CI or another tool said something about a commit. */
  | { kind: 'statuses'; repository: WebhookRepository; commit: string }
  /** Who can read has changed: in one repository, or anywhere. */
  | { kind: 'access'; repository: WebhookRepository | null }
  /** Repositories were added, removed, renamed or transferred. */
  | { kind: 'repositories' };

/** A repository as a payload names it. The ID stays when it is renamed. */
export interface WebhookRepository {
  /** Null if the payload has none. */
  id: string | null;
  fullName: string;
}

/** The webhooks of one kind of host: pure, and needs no credential of the host. */
export interface WebhookReader {
  /** Whether there is anything to verify; without it the body need not be read. */
  isSigned(headers: WebhookHeaders): boolean;
  /** In constant time, on the body as it was received. False for an empty secret. */
  verify(headers: WebhookHeaders, body: Uint8Array, secret: string): boolean;
  /** Never throws: what it doesn't recognize says nothing. */
  read(headers: WebhookHeaders, payload: unknown): WebhookChange[];
}

/** Links a person to their account on the host by signing in there. */
export interface HostSignIn {
  authorizeUrl(request: { redirectUri: string; state: string; codeChallenge: string }): string;
  /** The account that signed in. The token is not kept. */
  exchange(reply: { code: string; redirectUri: string; codeVerifier: string }): Promise<Account>;
}

/** How to reach a host. `url` is what a person opens in the browser: https://github.com, https://git.example.com. */
export type Connection =
  | { kind: 'github'; url: string; credential: GitHubCredential }
  | { kind: 'gitlab'; url: string; credential: { kind: 'token'; token: string } }
  | { kind: 'gitea'; url: string; credential: { kind: 'token'; token: string } };

export type GitHubCredential =
  | { kind: 'token'; token: string }
  /** All of its installations are used. */
  | { kind: 'app'; appId: string; privateKey: string };

export interface SignInApplication {
  kind: HostKind;
  url: string;
  clientId: string;
  clientSecret: string;
}

/** The composition: keeps what hosts said (installation tokens, versions, rate limits) for all connections of this process. */
export interface CodeHosts {
  open(connection: Connection, signal?: AbortSignal): CodeHost;
  signIn(application: SignInApplication): HostSignIn;
  /** Creates a GitHub App with one click: the browser posts `manifest` to `action`, and GitHub comes back with a code. */
  githubAppManifest(request: AppManifestRequest): { action: string; manifest: string };
  /** Exchanges the code for the App's secrets. It works once, within an hour. */
  createdGitHubApp(url: string, code: string): Promise<GitHubApp>;
}

export interface AppManifestRequest {
  /** The host's address. */
  url: string;
  /** Where the App is created; null for the person's own account. */
  organization: string | null;
  /** Shown on GitHub, at most 34 characters. */
  name: string;
  /** Pages of this service: its home page, where GitHub returns with the code, where people return who sign in. */
  homeUrl: string;
  redirectUrl: string;
  signInUrl: string;
  webhookUrl: string;
  /** Comes back with the code. */
  state: string;
}

export interface GitHubApp {
  appId: string;
  slug: string;
  name: string;
  /** Where it is installed: this page's `/installations/new`. */
  url: string;
  privateKey: string;
  webhookSecret: string;
  clientId: string;
  clientSecret: string;
}
