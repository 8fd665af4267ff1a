/** Text as PostgreSQL can store it: without null characters and halves of characters. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
