/** The tables as the query builder knows them. Generated from the catalogs by `npm run generate`. */
import type { ColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date, Date>;
export type Int8 = ColumnType<string, number | string, number | string>;
export type Json = ColumnType<unknown, string, string>;
export type WithDefault<T> = ColumnType<T, T | undefined, T>;

export interface Tables {
  api_keys: {
    id: string;
    hash: Buffer;
    organization_id: string;
    user_id: string;
    name: string;
    prefix: string;
    last_four: string;
    created_at: Timestamp;
    last_used_at: Timestamp | null;
    revoked_at: Timestamp | null;
  };
  audit_events: {
    id: string;
    organization_id: string;
    created_at: Timestamp;
    action: string;
    actor_kind: 'key' | 'session' | 'oauth' | 'operator' | 'anonymous';
    actor_user_id: string | null;
    subject_id: string | null;
    subject_name: string | null;
    detail: Json;
    address: string | null;
    request_id: string | null;
  };
  idempotent_replies: {
    fingerprint: Buffer;
    organization_id: string;
    body_hash: Buffer;
    status: number;
    reply: string | null;
    created_at: Timestamp;
  };
  inbox_items: {
    id: string;
    organization_id: string;
    user_id: string;
    plan_id: string;
    event_number: Int8;
    kind: 'comment' | 'reply' | 'review_requested' | 'approved' | 'changes_requested' | 'new_version';
    created_at: Timestamp;
    read_at: Timestamp | null;
  };
  invitations: {
    id: string;
    organization_id: string;
    token_hash: Buffer;
    email: string;
    role: 'viewer' | 'member' | 'admin' | 'owner';
    invited_by: string;
    created_at: Timestamp;
    expires_at: Timestamp;
    accepted_at: Timestamp | null;
    revoked_at: Timestamp | null;
  };
  memberships: {
    organization_id: string;
    user_id: string;
    role: 'viewer' | 'member' | 'admin' | 'owner';
    created_at: Timestamp;
    deactivated_at: Timestamp | null;
  };
  migrations: {
    name: string;
    checksum: string;
    applied_at: Timestamp;
  };
  oauth_records: {
    id: string;
    kind: 'Client' | 'Interaction' | 'Grant' | 'AuthorizationCode' | 'AccessToken' | 'RefreshToken';
    key_hash: Buffer;
    payload: Json;
    grant_id: string | null;
    organization_id: string | null;
    user_id: string | null;
    session_id: string | null;
    created_at: Timestamp;
    expires_at: Timestamp;
    consumed_at: Timestamp | null;
    last_used_at: Timestamp | null;
  };
  organization_switches: {
    id: string;
    organization_id: string;
    key: string;
    enabled: boolean;
    updated_by: string;
    updated_at: Timestamp;
  };
  organizations: {
    id: string;
    name: string;
    created_at: Timestamp;
  };
  plan_comments: {
    id: string;
    plan_id: string;
    organization_id: string;
    version_id: string;
    parent_id: string | null;
    thread_id: string;
    author_id: string;
    author_kind: 'key' | 'session' | 'oauth';
    body: string;
    anchor: string | null;
    triage_state: 'open' | 'dismissed' | null;
    created_at: Timestamp;
    edited_at: Timestamp | null;
    addressed_version_id: string | null;
    addressed_old: string | null;
    addressed_new: string | null;
  };
  plan_events: {
    plan_id: string;
    number: Int8;
    organization_id: string;
    kind: string;
    actor_kind: 'key' | 'session' | 'oauth' | 'service';
    actor_user_id: string | null;
    data: Json;
    created_at: Timestamp;
    actor_credential_id: string | null;
  };
  plan_files: {
    plan_id: string;
    organization_id: string;
    path: string;
  };
  plan_muted_threads: {
    user_id: string;
    thread_id: string;
    plan_id: string;
    organization_id: string;
    created_at: Timestamp;
  };
  plan_outbox: {
    plan_id: string;
    organization_id: string;
    told: Int8;
  };
  plan_pull_requests: {
    id: string;
    plan_id: string;
    organization_id: string;
    repository_id: string | null;
    repository_name: string | null;
    number: number;
    linked_by: string;
    linked_at: Timestamp;
  };
  plan_review_requests: {
    plan_id: string;
    user_id: string;
    organization_id: string;
    requested_by: string;
    requested_at: Timestamp;
  };
  plan_reviews: {
    id: string;
    plan_id: string;
    organization_id: string;
    version_id: string;
    user_id: string;
    verdict: 'approved' | 'changes_requested';
    note: string | null;
    created_at: Timestamp;
    withdrawn_at: Timestamp | null;
  };
  plan_version_repositories: {
    version_id: string;
    position: number;
    plan_id: string;
    organization_id: string;
    repository_id: string | null;
    name: string;
    folded_name: WithDefault<string>;
    folded_leaf: WithDefault<string>;
    head_commit: string | null;
  };
  plan_versions: {
    id: string;
    plan_id: string;
    organization_id: string;
    version: number;
    title: string;
    content: string;
    unchanged: boolean;
    author_id: string;
    author_kind: 'key' | 'session' | 'oauth';
    agent_vendor: string;
    model_id: string | null;
    input_tokens: Int8 | null;
    output_tokens: Int8 | null;
    created_at: Timestamp;
    compared_at: Timestamp | null;
  };
  plan_words: {
    plan_id: string;
    organization_id: string;
    part: number;
    words: string;
  };
  planner_events: {
    id: string;
    organization_id: string;
    session_id: string;
    user_id: string;
    event_type: string;
    repository: string | null;
    agent_vendor: string | null;
    payload: string | null;
    created_at: Timestamp;
  };
  planner_sessions: {
    organization_id: string;
    id: string;
    user_id: string;
    agent_vendor: string | null;
    first_event_at: Timestamp;
    last_event_at: Timestamp;
  };
  plans: {
    id: string;
    organization_id: string;
    series_id: string;
    status: 'pending' | 'approved' | 'implemented' | 'closed' | 'deleted';
    title: string;
    agent_vendor: string;
    created_by: string;
    created_at: Timestamp;
    updated_at: Timestamp;
    version_id: string | null;
    version: number;
    content_since: number;
    last_event: Int8;
    comment_count: number;
    changes_requested_at: Timestamp | null;
  };
  repositories: {
    id: string;
    organization_id: string;
    name: string;
    folded_name: WithDefault<string>;
    folded_leaf: WithDefault<string>;
    head_commit: string | null;
    created_at: Timestamp;
    url: string | null;
    added_by_operator: WithDefault<boolean>;
    credential_kind: WithDefault<'none' | 'password' | 'ssh_key'>;
    credential: Buffer | null;
    push_token: Buffer | null;
    visibility: WithDefault<'organization' | 'members'>;
    state: WithDefault<'waiting' | 'cloning' | 'ready' | 'failed'>;
    object_format: 'sha1' | 'sha256' | null;
    default_branch: string | null;
    branch_count: WithDefault<number>;
    tag_count: WithDefault<number>;
    refs_digest: Buffer | null;
    refreshed_at: Timestamp | null;
    problem: string | null;
    problem_at: Timestamp | null;
    failures: WithDefault<number>;
    next_refresh_at: Timestamp | null;
    refresh_asked_at: Timestamp | null;
    refresh_queued_at: Timestamp | null;
    refresh_token: string | null;
    refresh_started_at: Timestamp | null;
    busy_until: Timestamp | null;
    activity: Json | null;
    updated_at: Timestamp | null;
  };
  repository_members: {
    repository_id: string;
    user_id: string;
    organization_id: string;
  };
  repository_refs: {
    repository_id: string;
    kind: 'branch' | 'tag';
    name: string;
    organization_id: string;
    commit: string;
  };
  service_secret: {
    only_row: boolean;
    fingerprint: Buffer;
    created_at: Timestamp;
  };
  sessions: {
    id: string;
    token_hash: Buffer;
    organization_id: string;
    user_id: string;
    created_at: Timestamp;
    last_used_at: Timestamp;
    expires_at: Timestamp;
    user_agent: string | null;
    address: string;
  };
  setup_links: {
    token_hash: Buffer;
    created_at: Timestamp;
  };
  sign_in_attempts: {
    bucket: string;
    attempts: number;
    window_ends_at: Timestamp;
    account: string | null;
  };
  users: {
    id: string;
    email: string;
    name: string;
    password_hash: string;
    created_at: Timestamp;
    password_changed_at: Timestamp;
  };
  webhook_deliveries: {
    id: string;
    organization_id: string;
    webhook_id: string;
    event_kind: string;
    payload: string;
    state: 'pending' | 'succeeded' | 'failed';
    attempts: number;
    created_at: Timestamp;
    queued_at: Timestamp | null;
    claimed_until: Timestamp | null;
    last_attempt_at: Timestamp | null;
    next_attempt_at: Timestamp | null;
    response_status: number | null;
    response_note: string | null;
    duration_ms: number | null;
    attempt_log: Json;
  };
  webhooks: {
    id: string;
    organization_id: string;
    url: string;
    secret: string | null;
    event_kinds: string[];
    enabled: boolean;
    created_by: string;
    created_at: Timestamp;
    updated_at: Timestamp;
    deleted_at: Timestamp | null;
    sealed_secret: Buffer | null;
  };
}
