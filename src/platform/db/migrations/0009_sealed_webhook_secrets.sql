-- A webhook's secret is sealed as a repository's credential is. Only the service has the key: it seals the rows that
-- still have a plain secret when it starts.
ALTER TABLE webhooks ADD COLUMN sealed_secret bytea;
ALTER TABLE webhooks ALTER COLUMN secret DROP NOT NULL;
CREATE INDEX webhooks_to_seal ON webhooks (id) WHERE secret IS NOT NULL;
