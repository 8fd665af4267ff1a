/** What an agent calls itself, as it can be shown: nobody has checked it, and it may want to look like something else. */

const MAX_CHARACTERS = 80;
/** Characters that are not seen, that turn the line around, or that look like nothing. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

export function agentName(said: string): string {
  const plain = said
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(PILED_MARKS, '$1')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (plain === '') return 'Unnamed agent';
  const characters = [...plain];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : plain;
}
