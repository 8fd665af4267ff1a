/** The fixed environment of every git process, without anything from the machine, its user or the caller. */

/** The folders to search for git and the ssh that it starts. */
let path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Set once at startup, from the settings. */
export function configureGit(settings: { path: string }): void {
  path = settings.path;
}

const FIXED_ENVIRONMENT = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  GIT_SSH_COMMAND: 'false',
  GIT_PROTOCOL_FROM_USER: '0',
  // Blocks all protocols; calls that need the network allow the one they need.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
};

const FIXED_CONFIGURATION = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.askPass': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'credential.helper': '',
  'protocol.version': '2',
  'http.followRedirects': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fetch.recurseSubmodules': 'false',
  // Every fetch keeps its pack, which appears atomically, instead of thousands of loose files.
  'fetch.unpackLimit': '1',
  // Object ids are always verified. The strict content check would reject real histories with old mistakes
  // (padded modes, authors without an address); it protects checkouts, which we never create.
  'transfer.fsckObjects': 'false',
};

export function gitEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: path, ...FIXED_ENVIRONMENT, ...extra };
}

/** Arguments that precede the subcommand. */
export function leadingArguments(
  gitDir: string | undefined,
  configuration: Record<string, string> = {},
): string[] {
  const settings = Object.entries({ ...FIXED_CONFIGURATION, ...configuration });
  return [
    '--no-pager',
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
