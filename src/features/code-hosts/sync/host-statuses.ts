/** Turns what a code host says about a commit into statuses here. */
import type { CommitStatus } from '../../../engines/code-hosts/index.ts';
import { maskTexts } from '../../../engines/review/index.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { type NewStatus, nameWithAccount, STATUS_LIMITS } from '../../statuses/index.ts';

export const REVIEW_CHECK_NAME = 'Countersign';
export const APPROVAL_CHECK_NAME = 'Countersign: approved';
const OURS: readonly string[] = [REVIEW_CHECK_NAME, APPROVAL_CHECK_NAME];

/** Ours are left out. Several of one name, by different accounts, are called by their account too. */
export async function statusesOfHost(theirs: readonly CommitStatus[], at: Date): Promise<NewStatus[]> {
  const others = theirs.filter(({ name }) => !OURS.includes(name));
  const texts = await maskTexts(
    others.flatMap(({ description, name, url }) => [
      shortened(name, STATUS_LIMITS.hostNameCharacters),
      shortened(description, STATUS_LIMITS.descriptionCharacters),
      webAddress(url) ?? '',
    ]),
  );
  const named = others.map(({ account, state }, index) => {
    const [name, description, url] = texts.slice(index * 3, index * 3 + 3);
    return { account, state, name: name!, description: description!, url: url || null };
  });
  const accountsOf = new Map<string, Set<string | null>>();
  for (const { account, name } of named)
    accountsOf.set(name, (accountsOf.get(name) ?? new Set()).add(account));
  const statuses = new Map<string, NewStatus>();
  for (const { account, description, name, state, url } of named) {
    const isShared = accountsOf.get(name)!.size > 1;
    const unique = isShared && account !== null ? nameWithAccount(name, account) : name;
    // The worst are first, and names that were shortened can be the same.
    if (statuses.has(unique)) continue;
    statuses.set(unique, {
      ...{ name: unique, state, description, url, setWith: 'host', userId: null, keyName: null },
      accountLogin: account === null ? null : storable(account),
      at,
    });
  }
  return [...statuses.values()];
}

function shortened(text: string, max: number): string {
  const letters = [...storable(text)];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : letters.join('');
}

/** Anything else could run in a page, or be too long to keep. */
function webAddress(given: string | null): string | null {
  const url = given !== null && URL.canParse(given) ? new URL(given) : null;
  return url && /^https?:$/.test(url.protocol) && url.href.length <= STATUS_LIMITS.urlCharacters
    ? url.href
    : null;
}
