/** Masks tokens in the input of summaries: they must not become sentences, facts or words that are searched. */
import { createHider, maskText } from '../../../engines/review/index.ts';
import type { CodeToDescribe } from './summarize/described-code.ts';

/** Nearly all names are shorter or have no digit; a token is random, and a password is in an address. */
const MAY_HOLD_TOKEN = /^(?=.{16})(?:.*\d|.*:\/\/)/s;

export async function maskCode({ facts, readme, ...code }: CodeToDescribe): Promise<CodeToDescribe> {
  const texts = facts.facts
    .flatMap(({ detail, name }) => [name, detail ?? ''])
    .concat(facts.words.map(({ name }) => name));
  const suspects = new Set(texts.filter((text) => MAY_HOLD_TOKEN.test(text)));
  const hide = await createHider([[...suspects].join('\n')]);
  return {
    ...code,
    facts: {
      ...facts,
      facts: facts.facts.map((fact) => ({
        ...fact,
        name: suspects.has(fact.name) ? hide(fact.name) : fact.name,
        ...(fact.detail && suspects.has(fact.detail) && { detail: hide(fact.detail) }),
      })),
      words: facts.words.filter(({ name }) => !suspects.has(name) || hide(name) === name),
    },
    readme: readme && { ...readme, text: await maskText(readme.text) },
  };
}
