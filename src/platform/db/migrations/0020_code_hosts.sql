-- Plainer names for what is known about code hosts.

ALTER TABLE code_hosts RENAME COLUMN checked_at TO credential_checked_at;
-- When the host is checked again; null: now. Its credential, its repositories, who can read them.
ALTER TABLE code_hosts RENAME COLUMN next_look_at TO next_check_at;
ALTER TABLE code_hosts RENAME COLUMN look_queued_at TO check_queued_at;
ALTER INDEX code_hosts_next_look RENAME TO code_hosts_next_check;

-- People who were redirected to a code host and are expected back: to create a GitHub App, or to link their account.
ALTER TABLE code_host_visits RENAME TO code_host_redirects;
ALTER INDEX code_host_visits_pkey RENAME TO code_host_redirects_pkey;
ALTER INDEX code_host_visits_expiry RENAME TO code_host_redirects_expiry;
