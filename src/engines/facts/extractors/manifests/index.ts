/** Packages, their dependencies and workspaces, from the manifests of each ecosystem. */
import type { Extractor } from '../../extractor.ts';
import { FactList } from '../fact-list.ts';
import { fileName, isFixturePath } from '../file-name.ts';
import { readPackagesProps, readProject, readSolution } from './dotnet.ts';
import { readGoMod, readGoWork } from './go.ts';
import { readGradle, readGradleSettings, readPom } from './jvm.ts';
import { readPackageJson, readPnpmWorkspace } from './npm.ts';
import { readComposer } from './php.ts';
import { readPipfile, readPyproject, readRequirements, readSetupCfg, readSetupPy } from './python.ts';
import { readGemfile, readGemspec } from './ruby.ts';
import { readCargo } from './rust.ts';

type ReadManifest = (file: { path: string; text: string }, facts: FactList) => void;

const MANIFESTS: [RegExp, ReadManifest][] = [
  [/^package\.json$/, ({ text }, facts) => readPackageJson(text, facts)],
  [/^pnpm-workspace\.ya?ml$/, ({ text }, facts) => readPnpmWorkspace(text, facts)],
  [/^pyproject\.toml$/, ({ text }, facts) => readPyproject(text, facts)],
  [/^Pipfile$/, ({ text }, facts) => readPipfile(text, facts)],
  [
    /^(?:[\w.-]{0,80}[._-])?requirements(?:[._-][\w.-]{1,80})?\.(?:txt|in)$/,
    ({ path, text }, facts) => readRequirements(path, text, facts),
  ],
  [/^setup\.cfg$/, ({ text }, facts) => readSetupCfg(text, facts)],
  [/^setup\.py$/, ({ text }, facts) => readSetupPy(text, facts)],
  [/^go\.mod$/, ({ text }, facts) => readGoMod(text, facts)],
  [/^go\.work$/, ({ text }, facts) => readGoWork(text, facts)],
  [/^Cargo\.toml$/, ({ text }, facts) => readCargo(text, facts)],
  [/^pom\.xml$/, ({ text }, facts) => readPom(text, facts)],
  [/^build\.gradle(?:\.kts)?$/, ({ text }, facts) => readGradle(text, facts)],
  [/^settings\.gradle(?:\.kts)?$/, ({ text }, facts) => readGradleSettings(text, facts)],
  [/\.(?:cs|fs|vb)proj$/, ({ path, text }, facts) => readProject(path, text, facts)],
  [/^Directory\.Packages\.props$/i, ({ text }, facts) => readPackagesProps(text, facts)],
  [/\.sln$/, ({ text }, facts) => readSolution(text, facts)],
  [/^(?:Gemfile|gems\.rb)$/, ({ text }, facts) => readGemfile(text, facts)],
  [/\.gemspec$/, ({ text }, facts) => readGemspec(text, facts)],
  [/^composer\.json$/, ({ text }, facts) => readComposer(text, facts)],
];

export const manifests: Extractor = {
  name: 'manifests',
  accepts: (path) => !isFixturePath(path) && MANIFESTS.some(([name]) => name.test(fileName(path))),
  extract(file) {
    // Large frameworks have more dependencies than other files have facts.
    const facts = new FactList(1000);
    const name = fileName(file.path);
    for (const [pattern, read] of MANIFESTS) if (pattern.test(name)) read(file, facts);
    return facts.facts;
  },
};
