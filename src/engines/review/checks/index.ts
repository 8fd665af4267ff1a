/** Every check, by reviewer, and which of them run. */
import type { Check } from '../check.ts';
import { conflictMarkers } from './conflict-markers.ts';
import { dependencySources, lockFiles, similarNames } from './dependencies/dependencies.ts';
import { installScripts } from './dependencies/install-scripts.ts';
import { lockFilesAlone, outdatedLockFiles } from './dependencies/lock-files.ts';
import { newDependencies } from './dependencies/new-dependencies.ts';
import { developmentImports, undeclaredImports } from './dependencies/undeclared-imports.ts';
import { documentedNames } from './documented-names.ts';
import { removedFields } from './fields/removed-fields.ts';
import { importCase } from './import-case.ts';
import { invisibleCharacters } from './invisible-characters.ts';
import { changedMethods, removedMethods } from './members/member-checks.ts';
import { migrationHeads } from './migrations/migration-heads.ts';
import { lateMigrations, sameNumberMigrations, schemasBehind } from './migrations/migration-numbers.ts';
import { droppedTables, editedMigrations } from './migrations/migrations.ts';
import { movedFiles } from './moved/moved-files.ts';
import { namedPaths } from './named-paths.ts';
import { protobufFields } from './protobuf-fields.ts';
import { changedSignatures } from './removed/changed-signatures.ts';
import { removedButUsed, removedNames } from './removed/removed-but-used.ts';
import { removedMembers } from './removed/removed-members.ts';
import { removedRouteNames } from './removed/removed-route-names.ts';
import { removedRoutes } from './removed/removed-routes.ts';
import { renamedParameters } from './removed/renamed-parameters.ts';
import { passwords, secrets } from './secrets.ts';
import { removedOptions } from './settings/removed-options.ts';
import { unreadSettings } from './settings/unread-settings.ts';
import { undefinedNames } from './undefined-names/undefined-names.ts';
import { undoneWork } from './undone-work.ts';
import { unparseableFiles } from './unparseable-files.ts';
import { unreadEnvironment } from './unread-environment.ts';
import { unsetEnvironment } from './unset-environment.ts';
import { untestedExports } from './untested-exports.ts';
import {
  deletedTests,
  focusedTests,
  ignoredFailures,
  loweredCoverage,
  skippedTests,
} from './weakened-tests.ts';
import { workflowRules } from './workflow-rules.ts';

export const CHECKS: readonly Check[] = [
  secrets,
  passwords,
  removedButUsed,
  removedNames,
  movedFiles,
  undefinedNames,
  changedSignatures,
  removedMethods,
  changedMethods,
  renamedParameters,
  removedMembers,
  removedFields,
  removedRoutes,
  removedRouteNames,
  undoneWork,
  droppedTables,
  editedMigrations,
  sameNumberMigrations,
  lateMigrations,
  schemasBehind,
  migrationHeads,
  protobufFields,
  namedPaths,
  documentedNames,
  unsetEnvironment,
  unreadEnvironment,
  removedOptions,
  unreadSettings,
  dependencySources,
  lockFiles,
  outdatedLockFiles,
  lockFilesAlone,
  installScripts,
  newDependencies,
  similarNames,
  undeclaredImports,
  developmentImports,
  focusedTests,
  skippedTests,
  deletedTests,
  loweredCoverage,
  ignoredFailures,
  untestedExports,
  invisibleCharacters,
  workflowRules,
  conflictMarkers,
  importCase,
  unparseableFiles,
];

/** The checks of enabled reviewers; those that are off by default run only if they were turned on. */
export function chooseChecks(reviewers: readonly string[], switchedOn: readonly string[]): Check[] {
  return CHECKS.filter(
    ({ isOffByDefault, name, reviewer }) =>
      reviewers.includes(reviewer) && (!isOffByDefault || switchedOn.includes(name)),
  );
}
