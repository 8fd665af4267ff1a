-- How often a member of an organization gets mail about what is in their inbox; without a row, the defaults apply.
CREATE TABLE mail_settings (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  comments text NOT NULL CHECK (comments IN ('off', 'now', 'daily')),
  replies text NOT NULL CHECK (replies IN ('off', 'now', 'daily')),
  review_requests text NOT NULL CHECK (review_requests IN ('off', 'now', 'daily')),
  decisions text NOT NULL CHECK (decisions IN ('off', 'now', 'daily')),
  updates text NOT NULL CHECK (updates IN ('off', 'now', 'daily')),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);

-- One message about one item of an inbox, or about those of a day. `sending` is committed before the message is handed to
-- the mail server; a row that stays there was interrupted and is never sent again.
CREATE TABLE mails (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  user_id uuid NOT NULL REFERENCES users (id),
  digest boolean NOT NULL,
  item_ids uuid[] NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'sending', 'sent', 'skipped', 'failed', 'unclear')),
  attempts integer NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  claimed_until timestamptz,
  note text
);
-- The digest that new items are added to.
CREATE UNIQUE INDEX mails_open_digest ON mails (organization_id, user_id) WHERE digest AND state = 'pending' AND attempts = 0;
CREATE INDEX mails_due ON mails (due_at) WHERE state = 'pending';
CREATE INDEX mails_sending ON mails (claimed_until) WHERE state = 'sending';
CREATE INDEX mails_created ON mails (created_at);
