-- Reactions to comments on pull requests: one row for each person and emoji.
CREATE TABLE comment_reactions (
  comment_id uuid NOT NULL REFERENCES pull_request_comments (id) ON DELETE CASCADE,
  reaction text NOT NULL CHECK (reaction IN ('+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes')),
  user_id uuid NOT NULL REFERENCES users (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (comment_id, reaction, user_id)
);
CREATE INDEX comment_reactions_organization ON comment_reactions (organization_id);
