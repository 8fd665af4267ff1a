/** How the tests run: real PostgreSQL, started once; every file gets databases of its own; a browser only where one is needed. */
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The processes that services start in tests load the same files again and again: compiling them takes longer than their work. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

/** Files that replace a module or measure memory: each runs in a process of its own. */
const OWN_PROCESS = [
  'src/features/accounts/sessions/sign-in.test.ts',
  'src/engines/git/run/objects.test.ts',
  'src/engines/search/scan/search-code.test.ts',
  'src/transports/http/wire/too-large.test.ts',
];

/**
 * A worker loads the program once for all files of a project, which saves a third of the time; every file still has databases and
 * servers of its own. What files leave behind stays in its memory, and a larger process takes longer to start another one, such
 * as git: so there are several projects, each with workers of its own.
 */
const SHARED_PROCESS = {
  engines: ['src/engines/**/*.test.ts'],
  features: ['src/features/**/*.test.ts'],
  service: [
    'src/*.test.ts',
    'src/{client,commands,platform,settings,transports}/**/*.test.ts',
    'web/**/*.test.ts',
  ],
  suites: ['test/**/*.test.ts'],
};

/** The last files are short ones, so that no worker is alone with a long one while the others have nothing left. */
const ORDER = ['browser', 'suites', 'features', 'own-process', 'engines', 'service'];

class ShortOnesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

const PROCESS_FILE = /`\.\/([a-z]+-process)\.\$\{SOURCE_EXTENSION\}`, import\.meta\.url/;

/** Services start many processes that read code; those of the built program start with half the CPU time of the sources. */
const processesOfBuiltProgram: Plugin = {
  name: 'processes-of-built-program',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/engines\/.*\.ts$/, code: PROCESS_FILE },
    handler(code, id) {
      const folder = relative(join(import.meta.dirname, 'src'), dirname(id));
      return code.replaceAll(new RegExp(PROCESS_FILE, 'g'), (_, name) => {
        const file = join(process.env.TEST_PROGRAM!, 'dist', folder, `${name}.js`);
        return `'${pathToFileURL(file).href}'`;
      });
    },
  },
};

export default defineConfig({
  plugins: [processesOfBuiltProgram],
  test: {
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed-properties.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as a browser waits for an element: a busy machine is slow, not wrong.
    expect: { poll: { timeout: 10_000 } },
    // With more at once on two cores, tests meet their own time limits.
    maxWorkers: 4,
    sequence: { sequencer: ShortOnesLast },
    pool: 'forks',
    // Workers that load and run everything once make much garbage: collecting it less often takes a tenth less time.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      ...Object.entries(SHARED_PROCESS).map(([name, include]) => ({
        extends: true as const,
        test: {
          name,
          include,
          exclude: ['test/browser/**', 'test/acceptance/**', 'node_modules/**', ...OWN_PROCESS],
          isolate: false,
        },
      })),
      { extends: true, test: { name: 'own-process', include: OWN_PROCESS } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/global-setup.ts'],
          // One browser for all files of a worker.
          isolate: false,
          // A busy machine can hold a page back longer than a test waits; the report names every test that needed this.
          retry: 1,
        },
      },
    ],
  },
});
