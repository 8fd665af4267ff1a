-- Known vulnerabilities of packages, from a mirror of an advisory database in the OSV format. They are public, so no organization owns them.
CREATE TABLE advisories (
  ecosystem text NOT NULL CHECK (ecosystem IN ('npm', 'PyPI', 'Go', 'crates.io', 'RubyGems', 'Packagist')),
  -- As the ecosystem compares names: in PyPI and Packagist, one spelling for all that mean the same.
  package text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  summary text NOT NULL,
  severity text CHECK (severity IN ('low', 'moderate', 'high', 'critical')),
  aliases text[] NOT NULL,
  -- Lists of events: {introduced}, {fixed} or {last_affected}, in the order of versions.
  ranges jsonb NOT NULL,
  -- Affected versions that are listed one by one.
  versions text[] NOT NULL,
  PRIMARY KEY (ecosystem, package, id)
);
-- The newest one counts.
CREATE TABLE advisory_imports (
  imported_at timestamptz PRIMARY KEY,
  advisories integer NOT NULL
);
