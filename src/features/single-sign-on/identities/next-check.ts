/** When the provider is asked about a person again. */

export function nextCheckAt(
  settings: { recheck_minutes: number; sign_in_hours: number },
  confirmedAt: Date,
  hasToken: boolean,
): Date {
  const minutes = hasToken ? settings.recheck_minutes : settings.sign_in_hours * 60;
  return new Date(confirmedAt.getTime() + minutes * 60_000);
}
