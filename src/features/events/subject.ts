/** Subjects that events can be about. */

/** A new kind also needs an entry wherever the compiler asks for one: in the outbox, the inbox and webhooks. */
export type SubjectKind = 'plan' | 'pull_request' | 'code_host';
