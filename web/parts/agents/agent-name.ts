/** An agent's self-reported name, made safe to show: it is not verified and may try to look like something else. */

const MAX_CHARACTERS = 80;
/** Invisible, direction-changing and blank characters. */
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
