/** Names of statuses of code hosts, where several accounts can set one of the same name. Pure. */

/** How it is called if another account set one of the same name on the commit too. */
export function nameWithAccount(name: string, account: string): string {
  return `${name} (${account})`;
}

/** Whether a status is the one of this name, also if it is called by its account. */
export function isStatusNamed(status: { name: string; hostAccount: string | null }, name: string): boolean {
  const { hostAccount } = status;
  return status.name === name || (hostAccount !== null && status.name === nameWithAccount(name, hostAccount));
}
