/** The DATA domain: tables and models, where they are defined, and the databases behind them. */
import type { Sentence } from '../../summary-row.ts';
import type { DescribedCode } from '../described-code.ts';
import { isMigration, isTool } from '../kinds-of-paths.ts';
import { DATABASES, findKnown } from '../known-software.ts';
import { foldersNamed } from '../main-folders.ts';
import { type Listed, someSentence } from '../write-sentence.ts';
import { distinct } from './api.ts';

const MODEL_FOLDER = /^(?:models?|domain[-_]?models?)$/i;
const ENTITY_FOLDER = /^(?:models?|entit(?:y|ies)|domain[-_]?models?)$/i;
/** Elsewhere an entity is anything. */
const HAS_ENTITIES = /\.(?:java|kt|cs|php)$/;
const MIGRATION_FOLDER = /^(?:migrations?|migrate|post_migrate)$/i;
/** Tables that a query makes for itself. */
const TEMPORARY =
  /^(?:te?mp_|new_|old_|schema_migrations$|ar_internal_metadata$|sqlite_|pg_|information_schema)|_(?:tmp|temp|seq|cte)$/i;

export function describeData(code: DescribedCode): (Sentence | null)[] {
  const owned = tablesOf(code);
  const databases = findKnown(code, DATABASES);
  const isStored = owned.length + databases.length > 0;
  const hasEntities = code.sources.some((path) => HAS_ENTITIES.test(path));
  const tables = [...code.of('table'), ...code.of('table', 'uses')];
  // A folder of one of these names can also have pages, requests, or what imports data from elsewhere.
  const hasTables = (folder: string) => tables.some(({ path }) => path.startsWith(`${folder}/`));
  const hasDefinitions = (folder: string) => isMostly(folder, code);
  return [
    // Not counted: some ways to define a table are not known, and some migrations are programs.
    someSentence('It defines tables such as ', owned),
    owned.length === 0 ? someSentence('It reads or writes tables such as ', foreignTables(code)) : null,
    someSentence('It has clients, drivers or containers for ', databases),
    isStored
      ? someSentence(
          'It has models in ',
          foldersNamed(code.sources, hasEntities ? ENTITY_FOLDER : MODEL_FOLDER, hasDefinitions),
        )
      : null,
    owned.length > 0
      ? someSentence('It has migrations in ', foldersNamed(code.sources, MIGRATION_FOLDER, hasTables))
      : null,
  ];
}

const MODELS_OF_FRAMEWORKS = /(?:^|\/)app\/models$/i;

/** A folder with code that imports data from elsewhere, or asks for it, can have such a name too. */
function isMostly(folder: string, code: DescribedCode): boolean {
  if (MODELS_OF_FRAMEWORKS.test(folder)) return true;
  const files = code.sources.filter((path) => path.startsWith(`${folder}/`));
  const defining = new Set(code.of('table').map(({ path }) => path));
  return files.filter((path) => defining.has(path)).length * 2 >= files.length;
}

/** Migrations also create what later ones drop: such a table counts when other code knows it too. The most used come first. */
export function tablesOf(code: DescribedCode): Listed[] {
  const defined = code.of('table');
  const mentions = Map.groupBy([...defined, ...code.of('table', 'uses')], ({ name }) => name);
  const files = new Set(
    code.sources
      .filter((path) => !isMigration(path))
      .map((path) => spelledAlike(path.replace(/^.*\/|\..*$/gs, ''))),
  );
  const isKnown = ({ text }: Listed) =>
    mentions.get(text)!.some(({ path }) => !isMigration(path)) || files.has(spelledAlike(text));
  const all = distinct(defined.filter(({ name }) => !TEMPORARY.test(name)));
  const known = all.filter(isKnown);
  const ordered = (known.length > 0 ? known : all).map((table, index) => ({ table, index }));
  const used = (name: string) => mentions.get(name)!.length;
  return ordered
    .sort((left, right) => used(right.table.text) - used(left.table.text) || left.index - right.index)
    .map(({ table }) => table);
}

/** `user_roles`, `UserRole` and `user-role` are the same. */
const spelledAlike = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/** Those that are used in more than one file: a single query can name a part of itself. */
function foreignTables(code: DescribedCode): Listed[] {
  const own = new Set(code.of('table').map(({ name }) => name));
  const uses = code
    .of('table', 'uses')
    .filter(
      ({ name, path }) => !own.has(name) && !TEMPORARY.test(name) && !isMigration(path) && !isTool(path),
    );
  const files = Map.groupBy(uses, ({ name }) => name);
  return distinct(uses.filter(({ name }) => new Set(files.get(name)!.map(({ path }) => path)).size > 1));
}
