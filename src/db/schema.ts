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
    actor_kind: string;
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
  invitations: {
    id: string;
    organization_id: string;
    token_hash: Buffer;
    email: string;
    role: string;
    invited_by: string;
    created_at: Timestamp;
    expires_at: Timestamp;
    accepted_at: Timestamp | null;
    revoked_at: Timestamp | null;
  };
  memberships: {
    organization_id: string;
    user_id: string;
    role: string;
    created_at: Timestamp;
    deactivated_at: Timestamp | null;
  };
  migrations: {
    name: string;
    checksum: string;
    applied_at: Timestamp;
  };
  organizations: {
    id: string;
    name: string;
    created_at: Timestamp;
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
  };
  users: {
    id: string;
    email: string;
    name: string;
    password_hash: string;
    created_at: Timestamp;
    password_changed_at: Timestamp;
  };
}
