-- Attempts are counted by device, by network, by account and network, and by account. All those of an account are
-- dropped when its password is reset.
ALTER TABLE sign_in_attempts ADD COLUMN account text;
CREATE INDEX sign_in_attempts_account ON sign_in_attempts (account) WHERE account IS NOT NULL;
