/** Formats numbers for display. */

export function formatTokens({
  input_tokens,
  output_tokens,
}: {
  input_tokens: number;
  output_tokens: number;
}): string {
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return `${short.format(input_tokens)} tokens in, ${short.format(output_tokens)} out`;
}

export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
