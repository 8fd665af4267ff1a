/** Writes the configuration for one ssh connection: the checked address, only this key, no prompts, no system configuration. */

export interface SshSettings {
  host: string;
  port: number;
  addresses: string[];
  /** Null: no key at all, and none of the service account's keys. */
  keyFile: string | null;
  knownHostsFile: string;
}

export function sshConfiguration({ host, port, addresses, keyFile, knownHostsFile }: SshSettings): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const settings: [name: string, value: string][] = [
    ['HostName', escaped(addresses[0]!)],
    // Host keys are stored by name: the address may differ next time.
    ['HostKeyAlias', port === 22 ? bare : `[${bare}]:${port}`],
    ['Port', String(port)],
    // A user name in the address takes precedence.
    ['User', 'git'],
    ['IdentityFile', keyFile === null ? 'none' : quoted(keyFile)],
    ['IdentitiesOnly', 'yes'],
    ['IdentityAgent', 'none'],
    ['BatchMode', 'yes'],
    ['PasswordAuthentication', 'no'],
    ['KbdInteractiveAuthentication', 'no'],
    ['StrictHostKeyChecking', 'accept-new'],
    ['UserKnownHostsFile', quoted(knownHostsFile)],
    ['GlobalKnownHostsFile', '/dev/null'],
    ['UpdateHostKeys', 'no'],
    ['CanonicalizeHostname', 'no'],
    ['CheckHostIP', 'no'],
    ['ProxyCommand', 'none'],
    ['ControlPath', 'none'],
    ['ClearAllForwardings', 'yes'],
    ['ForwardAgent', 'no'],
    ['PermitLocalCommand', 'no'],
    ['ConnectTimeout', '20'],
    ['ServerAliveInterval', '20'],
    ['LogLevel', 'ERROR'],
  ];
  return `Host *\n${settings.map(([name, value]) => `  ${name} ${value}\n`).join('')}`;
}

function quoted(path: string): string {
  return `"${escaped(path).replaceAll('"', '\\"')}"`;
}

/** ssh expands `%` and a letter in paths and host names. */
function escaped(value: string): string {
  return value.replaceAll('%', '%%');
}
