-- Email addresses that accounts had before: what they wrote under one stays theirs. Earlier changes are in the audit log.
CREATE TABLE former_emails (
  user_id uuid NOT NULL REFERENCES users (id),
  email text NOT NULL,
  PRIMARY KEY (user_id, email)
);
INSERT INTO former_emails
  SELECT DISTINCT u.id, a.detail -> 'email' ->> 'from' FROM audit_events a JOIN users u ON u.id = a.subject_id
  WHERE a.action = 'profile.changed' AND a.detail -> 'email' ->> 'from' IS NOT NULL
    AND u.email NOT LIKE '%@deleted.invalid';
