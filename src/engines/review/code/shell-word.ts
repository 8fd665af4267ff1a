/** Text from the code as one word of a shell command, so that a command can be copied without running what a file is called. */

export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
