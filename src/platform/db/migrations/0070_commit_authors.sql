-- Who wrote a commit is found by the addresses in it: former ones, and those that code hosts give, which have the login.
CREATE INDEX former_emails_email ON former_emails (email);
CREATE INDEX host_accounts_login ON host_accounts (organization_id, lower(login)) WHERE user_id IS NOT NULL;
