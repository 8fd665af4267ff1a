/** The version of a plan that this person last read in this browser. */

const keyOf = (userId: string, seriesId: string) => `countersign-read:${userId}:${seriesId}`;

export function readLastRead(userId: string, seriesId: string): number | undefined {
  const version = Number(localStorage.getItem(keyOf(userId, seriesId)));
  return Number.isInteger(version) && version > 0 ? version : undefined;
}

/** Reading an older version again doesn't count. */
export function keepLastRead(userId: string, seriesId: string, version: number): void {
  if (version > (readLastRead(userId, seriesId) ?? 0)) setLastRead(userId, seriesId, version);
}

export function setLastRead(userId: string, seriesId: string, version: number): void {
  localStorage.setItem(keyOf(userId, seriesId), String(version));
}
