-- The search for summaries reads one short row for each repository with a word, from the index alone. The full-text index of
-- architecture_summaries has no room for the domains, so every summary had to be visited for each of its words.
CREATE TABLE architecture_words (
  organization_id uuid NOT NULL,
  -- As in architecture_summaries: as written, split, and stemmed.
  word text COLLATE "C" NOT NULL,
  repository_id uuid NOT NULL,
  -- One bit for each domain whose summary has the word; of those, the ones where it is a main word.
  domains smallint NOT NULL,
  main_domains smallint NOT NULL,
  PRIMARY KEY (organization_id, word, repository_id) INCLUDE (domains, main_domains)
);

-- The bit of a domain is its place in this list, which the program has too. Others aren't searched.
CREATE FUNCTION architecture_words_of(repositories uuid[]) RETURNS SETOF architecture_words LANGUAGE sql STABLE AS $$
  SELECT s.organization_id, w.lexeme, s.repository_id, bit_or(1 << d.bit)::smallint,
    bit_or(CASE WHEN w.is_main THEN 1 << d.bit ELSE 0 END)::smallint
  FROM architecture_summaries s
  JOIN unnest(ARRAY['API', 'BUSINESS_LOGIC', 'DATA', 'EVENTS', 'AUTH', 'INFRASTRUCTURE', 'UI', 'CLI', 'LIBRARY', 'TESTS'])
    WITH ORDINALITY AS l (domain, place) USING (domain)
  CROSS JOIN LATERAL (SELECT l.place::int - 1 AS bit) d
  CROSS JOIN LATERAL (
    SELECT lexeme, false AS is_main FROM unnest(s.words)
    UNION ALL SELECT lexeme, true FROM unnest(s.main_words)
  ) w
  WHERE s.repository_id = ANY(repositories)
  GROUP BY s.organization_id, w.lexeme, s.repository_id
$$;

-- Kept by the database, so that summaries which a node of the version before writes are found too. No references, which would be
-- checked for every word and need an index of their own: a deleted repository takes its summaries with it, and they take their words.
CREATE FUNCTION index_architecture_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH wanted AS MATERIALIZED (
    SELECT * FROM architecture_words_of(ARRAY(SELECT DISTINCT repository_id FROM changed))
  ), gone AS (
    DELETE FROM architecture_words a
    USING (SELECT DISTINCT c.organization_id, w.lexeme, c.repository_id FROM changed c CROSS JOIN unnest(c.words) w
      EXCEPT SELECT organization_id, word, repository_id FROM wanted) o
    WHERE (a.organization_id, a.word, a.repository_id) = (o.organization_id, o.lexeme, o.repository_id)
  )
  INSERT INTO architecture_words SELECT * FROM wanted w
  WHERE NOT EXISTS (SELECT FROM architecture_words a
    WHERE (a.organization_id, a.word, a.repository_id) = (w.organization_id, w.word, w.repository_id)
      AND (a.domains, a.main_domains) = (w.domains, w.main_domains))
  ON CONFLICT (organization_id, word, repository_id)
    DO UPDATE SET domains = excluded.domains, main_domains = excluded.main_domains;
  RETURN NULL;
END $$;
CREATE TRIGGER index_words_of_new AFTER INSERT ON architecture_summaries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION index_architecture_words();
CREATE TRIGGER index_words_of_changed AFTER UPDATE ON architecture_summaries REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION index_architecture_words();
CREATE TRIGGER index_words_of_gone AFTER DELETE ON architecture_summaries REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION index_architecture_words();

INSERT INTO architecture_words
SELECT * FROM architecture_words_of(ARRAY(SELECT DISTINCT repository_id FROM architecture_summaries)) ORDER BY 1, 2, 3;
