/**
 * A code host in memory: accounts, repositories, pull requests, reviews, threads, permissions and webhooks. The
 * three fake hosts serve the same model, so that a test can play the same events on each. Tests act as people through it.
 */

export interface FakeAccount {
  id: number;
  login: string;
  name: string;
  bot: boolean;
}

export interface FakeComment {
  id: number;
  author: FakeAccount;
  body: string;
  createdAt: Date;
  updatedAt: Date;
  /** By whom, for each emoji. */
  reactions: { account: FakeAccount; emoji: '👎' | '🎉' }[];
}

export interface FakeThread {
  id: number;
  /** The review that its first comment belongs to. */
  review: FakeReview;
  file: string;
  side: 'new' | 'old';
  /** 0 and 0 for a whole file. */
  startLine: number;
  endLine: number;
  commit: string;
  resolvedBy: FakeAccount | null;
  comments: FakeComment[];
}

export interface FakeReview {
  id: number;
  author: FakeAccount;
  state: 'pending' | 'commented' | 'approved' | 'changes_requested' | 'dismissed';
  body: string;
  commit: string;
  at: Date;
}

export interface FakePullRequest {
  id: number;
  number: number;
  repository: FakeRepository;
  title: string;
  body: string;
  author: FakeAccount;
  state: 'open' | 'closed' | 'merged';
  draft: boolean;
  head: { branch: string; commit: string; repository: FakeRepository | null };
  base: { branch: string; commit: string };
  /** The host's answer to whether it can be merged. */
  merge: 'checking' | 'clean' | 'conflicts';
  labels: string[];
  requestedReviewers: FakeAccount[];
  requestedTeams: FakeTeam[];
  /** Lines that can be commented on, by file. */
  diff: Record<string, { new: number[]; old: number[] }>;
  reviews: FakeReview[];
  threads: FakeThread[];
  comments: FakeComment[];
  createdAt: Date;
  updatedAt: Date;
  mergedAt: Date | null;
  closedAt: Date | null;
}

export interface FakeStatus {
  commit: string;
  name: string;
  state: string;
  title: string;
  text: string;
  url: string | null;
  /** Neither: set by the service. */
  by?: FakeAccount;
  /** Set by an App or by the host's own CI. */
  app?: string;
}

export interface FakeTeam {
  id: number;
  /** The organization. */
  owner: string;
  slug: string;
  name: string;
  members: FakeAccount[];
}

export interface FakeHook {
  id: number;
  url: string;
  secret: string;
  events: string[];
}

export interface FakeRepository {
  id: number;
  owner: string;
  name: string;
  private: boolean;
  defaultBranch: string;
  archived: boolean;
  fork: boolean;
  /** Accounts with access, by login; the owner of the token needs one too. */
  access: Map<string, 'none' | 'read' | 'write' | 'admin'>;
  pullRequests: FakePullRequest[];
  statuses: FakeStatus[];
  hooks: FakeHook[];
}

export type FakeChange =
  | { kind: 'pull_request'; action: string; pullRequest: FakePullRequest }
  | { kind: 'review'; action: string; pullRequest: FakePullRequest; review: FakeReview }
  | {
      kind: 'thread_comment';
      action: string;
      pullRequest: FakePullRequest;
      thread: FakeThread;
      comment: FakeComment;
    }
  | { kind: 'thread'; action: 'resolved' | 'unresolved'; pullRequest: FakePullRequest; thread: FakeThread }
  | { kind: 'comment'; action: string; pullRequest: FakePullRequest; comment: FakeComment }
  | { kind: 'push'; repository: FakeRepository; branch: string; commit: string }
  | { kind: 'access'; repository: FakeRepository; account: FakeAccount }
  | { kind: 'status'; repository: FakeRepository; status: FakeStatus };

export type Place = Pick<FakeThread, 'file' | 'side' | 'startLine' | 'endLine'>;

const START = Date.UTC(2026, 0, 1);

export class FakeModel {
  readonly accounts: FakeAccount[] = [];
  readonly repositories: FakeRepository[] = [];
  readonly teams: FakeTeam[] = [];
  readonly #listeners: ((change: FakeChange) => void)[] = [];
  #lastId = 1000;
  #seconds = 0;

  onChange(listener: (change: FakeChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Every change happens a second after the one before. */
  now(): Date {
    this.#seconds += 1;
    return new Date(START + this.#seconds * 1000);
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  account(login: string, options: Partial<FakeAccount> = {}): FakeAccount {
    const known = this.accounts.find((one) => one.login === login);
    if (known) return known;
    const account = { id: this.nextId(), login, name: `${login} Example`, bot: false, ...options };
    this.accounts.push(account);
    return account;
  }

  team(owner: string, slug: string, members: FakeAccount[]): FakeTeam {
    const team = { id: this.nextId(), owner, slug, name: slug, members };
    this.teams.push(team);
    return team;
  }

  repository(fullName: string, options: Partial<FakeRepository> = {}): FakeRepository {
    const known = this.findRepository(fullName);
    if (known) return known;
    const [owner, name] = splitName(fullName);
    const repository: FakeRepository = {
      id: this.nextId(),
      owner,
      name,
      private: true,
      defaultBranch: 'main',
      archived: false,
      fork: false,
      access: new Map(),
      pullRequests: [],
      statuses: [],
      hooks: [],
      ...options,
    };
    this.repositories.push(repository);
    return repository;
  }

  findRepository(fullName: string): FakeRepository | undefined {
    return this.repositories.find((one) => fullNameOf(one).toLowerCase() === fullName.toLowerCase());
  }

  grant(repository: FakeRepository, login: string, access: 'none' | 'read' | 'write' | 'admin'): void {
    repository.access.set(login, access);
    this.#tell({ kind: 'access', repository, account: this.account(login) });
  }

  /** Replaces the one with the same name by the same account or App. */
  setStatus(
    repository: FakeRepository,
    given: Pick<FakeStatus, 'commit' | 'name' | 'state' | 'by' | 'app'> & { title?: string; url?: string },
  ): void {
    const status = { title: '', text: '', url: null, ...given };
    const others = repository.statuses.filter(
      ({ app, by, commit, name }) =>
        commit !== status.commit || name !== status.name || app !== status.app || by !== status.by,
    );
    repository.statuses = [status, ...others];
    this.#tell({ kind: 'status', repository, status });
  }

  openPullRequest(
    repository: FakeRepository,
    options: { author: FakeAccount; commit: string } & Partial<FakePullRequest>,
  ): FakePullRequest {
    const at = this.now();
    const number = Math.max(0, ...repository.pullRequests.map((one) => one.number)) + 1;
    const { commit, ...rest } = options;
    const pullRequest: FakePullRequest = {
      id: this.nextId(),
      number,
      repository,
      title: `Change ${number}`,
      body: '',
      state: 'open',
      draft: false,
      head: { branch: `feature-${number}`, commit, repository },
      base: { branch: repository.defaultBranch, commit: 'b'.repeat(40) },
      merge: 'clean',
      labels: [],
      requestedReviewers: [],
      requestedTeams: [],
      diff: {},
      reviews: [],
      threads: [],
      comments: [],
      createdAt: at,
      updatedAt: at,
      mergedAt: null,
      closedAt: null,
      ...rest,
    };
    repository.pullRequests.push(pullRequest);
    this.#tell({ kind: 'pull_request', action: 'opened', pullRequest });
    return pullRequest;
  }

  change(
    pullRequest: FakePullRequest,
    changes: Partial<
      Pick<
        FakePullRequest,
        'title' | 'body' | 'draft' | 'labels' | 'requestedReviewers' | 'requestedTeams' | 'base'
      >
    >,
  ): void {
    Object.assign(pullRequest, changes);
    this.#touch(pullRequest);
    this.#tell({ kind: 'pull_request', action: 'edited', pullRequest });
  }

  push(pullRequest: FakePullRequest, commit: string): void {
    pullRequest.head.commit = commit;
    this.#touch(pullRequest);
    const { branch, repository } = pullRequest.head;
    if (repository) this.#tell({ kind: 'push', repository, branch, commit });
    this.#tell({ kind: 'pull_request', action: 'synchronize', pullRequest });
  }

  close(pullRequest: FakePullRequest, state: 'closed' | 'merged'): void {
    const at = this.#touch(pullRequest);
    Object.assign(pullRequest, { state, closedAt: at, mergedAt: state === 'merged' ? at : null });
    this.#tell({ kind: 'pull_request', action: 'closed', pullRequest });
  }

  reopen(pullRequest: FakePullRequest): void {
    this.#touch(pullRequest);
    Object.assign(pullRequest, { state: 'open', closedAt: null });
    this.#tell({ kind: 'pull_request', action: 'reopened', pullRequest });
  }

  review(pullRequest: FakePullRequest, author: FakeAccount, options: Partial<FakeReview> = {}): FakeReview {
    const review: FakeReview = {
      id: this.nextId(),
      author,
      state: 'commented',
      body: '',
      commit: pullRequest.head.commit,
      at: this.#touch(pullRequest),
      ...options,
    };
    pullRequest.reviews.push(review);
    if (review.state !== 'pending') this.#tell({ kind: 'review', action: 'submitted', pullRequest, review });
    return review;
  }

  submit(pullRequest: FakePullRequest, review: FakeReview, state: FakeReview['state'], body: string): void {
    Object.assign(review, { state, body, at: this.#touch(pullRequest) });
    this.#tell({ kind: 'review', action: 'submitted', pullRequest, review });
  }

  removeReview(pullRequest: FakePullRequest, review: FakeReview): void {
    pullRequest.reviews = pullRequest.reviews.filter((one) => one !== review);
    pullRequest.threads = pullRequest.threads.filter((one) => one.review !== review);
  }

  startThread(
    pullRequest: FakePullRequest,
    author: FakeAccount,
    place: Place,
    body: string,
    review = this.review(pullRequest, author),
  ): FakeThread {
    const comment = this.#comment(pullRequest, author, body);
    const { commit } = review;
    const thread: FakeThread = {
      ...place,
      id: this.nextId(),
      review,
      commit,
      resolvedBy: null,
      comments: [comment],
    };
    pullRequest.threads.push(thread);
    if (review.state !== 'pending')
      this.#tell({ kind: 'thread_comment', action: 'created', pullRequest, thread, comment });
    return thread;
  }

  reply(pullRequest: FakePullRequest, thread: FakeThread, author: FakeAccount, body: string): FakeComment {
    const comment = this.#comment(pullRequest, author, body);
    thread.comments.push(comment);
    this.#tell({ kind: 'thread_comment', action: 'created', pullRequest, thread, comment });
    return comment;
  }

  resolve(pullRequest: FakePullRequest, thread: FakeThread, by: FakeAccount | null): void {
    thread.resolvedBy = by;
    this.#touch(pullRequest);
    const action = by ? 'resolved' : 'unresolved';
    this.#tell({ kind: 'thread', action, pullRequest, thread });
  }

  comment(pullRequest: FakePullRequest, author: FakeAccount, body: string): FakeComment {
    const comment = this.#comment(pullRequest, author, body);
    pullRequest.comments.push(comment);
    this.#tell({ kind: 'comment', action: 'created', pullRequest, comment });
    return comment;
  }

  edit(pullRequest: FakePullRequest, comment: FakeComment, body: string): void {
    Object.assign(comment, { body, updatedAt: this.#touch(pullRequest) });
    this.#tellOfComment(pullRequest, comment, 'edited');
  }

  /** A thread without comments is gone. */
  remove(pullRequest: FakePullRequest, comment: FakeComment): void {
    this.#touch(pullRequest);
    this.#tellOfComment(pullRequest, comment, 'deleted');
    pullRequest.comments = pullRequest.comments.filter((one) => one !== comment);
    for (const thread of pullRequest.threads)
      thread.comments = thread.comments.filter((one) => one !== comment);
    pullRequest.threads = pullRequest.threads.filter(({ comments }) => comments.length > 0);
  }

  #tellOfComment(pullRequest: FakePullRequest, comment: FakeComment, action: string): void {
    const thread = pullRequest.threads.find(({ comments }) => comments.includes(comment));
    this.#tell(
      thread
        ? { kind: 'thread_comment', action, pullRequest, thread, comment }
        : { kind: 'comment', action, pullRequest, comment },
    );
  }

  #comment(pullRequest: FakePullRequest, author: FakeAccount, body: string): FakeComment {
    const at = this.#touch(pullRequest);
    return { id: this.nextId(), author, body, createdAt: at, updatedAt: at, reactions: [] };
  }

  #touch(pullRequest: FakePullRequest): Date {
    pullRequest.updatedAt = this.now();
    return pullRequest.updatedAt;
  }

  #tell(change: FakeChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

export function fullNameOf({ name, owner }: FakeRepository): string {
  return `${owner}/${name}`;
}

export function repositoryOfChange(change: FakeChange): FakeRepository {
  return 'pullRequest' in change ? change.pullRequest.repository : change.repository;
}

/** Whether all lines of a place are part of the diff. Whole files need only the file. */
export function isInDiff({ diff }: FakePullRequest, { endLine, file, side, startLine }: Place): boolean {
  const lines = diff[file];
  if (!lines) return false;
  return endLine === 0 || [startLine, endLine].every((line) => lines[side].includes(line));
}

function splitName(fullName: string): [owner: string, name: string] {
  const slash = fullName.lastIndexOf('/');
  return [fullName.slice(0, slash), fullName.slice(slash + 1)];
}
