-- A link with which everyone who receives mail at a domain can ask for an invitation, until it ends, is used up or is revoked.
CREATE TABLE invitation_links (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  token_hash bytea NOT NULL UNIQUE,
  domain text NOT NULL CHECK (domain = lower(domain)),
  role text NOT NULL CHECK (role IN ('viewer', 'member')),
  created_by uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  max_uses integer NOT NULL,
  -- One for each address that was sent an invitation.
  uses integer NOT NULL DEFAULT 0,
  revoked_at timestamptz
);
CREATE INDEX invitation_links_organization ON invitation_links (organization_id, id);

ALTER TABLE invitations
  ADD COLUMN link_id uuid REFERENCES invitation_links (id),
  -- Null: not sent by mail. The link itself is derived from the ID and the service's secret when the mail is written.
  ADD COLUMN mail_state text CHECK (mail_state IN ('pending', 'sending', 'sent', 'failed', 'unclear')),
  ADD COLUMN mail_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN mail_due_at timestamptz,
  ADD COLUMN mail_claimed_until timestamptz;
CREATE INDEX invitations_link ON invitations (link_id, email) WHERE link_id IS NOT NULL;
CREATE INDEX invitations_pending ON invitations (organization_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_mail_due ON invitations (mail_due_at) WHERE mail_state = 'pending';
CREATE INDEX invitations_mail_sending ON invitations (mail_claimed_until) WHERE mail_state = 'sending';
