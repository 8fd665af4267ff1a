/** Which repository is meant by a written name, when several define it. */
import { describe, expect, it } from 'vitest';
import { symbolNamed } from './matching-names.ts';
import { importedNames, inSameLanguages, tellApart } from './which-symbol.ts';

/** `path kind Container?`; a `-` before the kind means that it is not exported. */
function repository(name: string, definitions: string[], references: string[] = []) {
  return {
    repository: { id: name, name },
    definitions: definitions.map((line) => {
      const [path, kind, container] = line.split(' ');
      return {
        path: path!,
        kind: kind!.replace('-', ''),
        container: container ?? null,
        isExported: !kind!.startsWith('-'),
      };
    }),
    references: references.map((path) => ({ path, line: 1 })),
  };
}

function ownersOf(written: string, ...found: ReturnType<typeof repository>[]) {
  const { isAmbiguous, others, owners } = tellApart(symbolNamed(undefined, written)!, found);
  const names = (list: typeof owners) => list.map((each) => each.repository.name);
  return { owners: names(owners), others: names(others), isAmbiguous };
}

const gin = repository('gin-gonic/gin', ['context.go method Context', 'render/json.go method JSON']);
const memos = repository('usememos/memos', ['server/router/context.go method Context']);
const java = repository('acme/java', ['src/main/java/com/acme/Price.java method Price']);
const shop = repository('acme/shop', ['src/price.ts function', 'src/test/price.ts function']);
const fork = repository('acme/fork', ['src/price.ts function']);
const field = repository('acme/field', ['src/types.ts field Shape', 'lib/own.ts -function']);
const tested = repository('acme/tested', ['test/price.ts function']);
const page = repository('acme/page', [], ['web/Price.svelte', 'src/other.ts']);

describe('the repository of a symbol', () => {
  it.each([
    ['of the same file', 'price.ts:f', [shop, java, field], 'acme/shop'],
    ['of a file with its repository', 'acme/fork/src/price.ts:f', [shop, fork], 'acme/fork'],
    ['of a repository', 'acme/shop#f', [shop, fork, gin], 'acme/shop'],
    ['of a class', 'Price.f', [shop, gin, java], 'acme/java'],
    ['of a class with its package', 'com.acme.Price#f(Long)', [shop, java], 'acme/java'],
    ['of a class in a repository', 'gin.Context.f', [gin, memos], 'gin-gonic/gin'],
    ['of a folder', 'github.com/gin-gonic/gin/render.f', [gin, memos, shop], 'gin-gonic/gin'],
    ['of a receiver', 'func (p *Price) f(n int)', [java, shop], 'acme/java'],
    ['of a module', 'price.f', [shop, java], 'acme/shop'],
    ['of a file whose definitions are not known', 'web/Price.svelte:f', [shop, page], 'acme/page'],
    ['that exports a function, not a method', 'f', [shop, gin], 'acme/shop'],
    ['that has a method, not a field', 'f', [field, gin], 'gin-gonic/gin'],
    ['whose code has it, not its tests', 'f', [field, tested], 'acme/field'],
    ['that alone defines it', 'f', [gin, page], 'gin-gonic/gin'],
  ])('%s: %s', (_name, written, found, owner) => {
    expect(ownersOf(written, ...found)).toMatchObject({ owners: [owner], isAmbiguous: false });
    expect(ownersOf(written, ...found.toReversed())).toMatchObject({ owners: [owner] });
  });

  it('is not known if equal definitions are left', () => {
    expect(ownersOf('f', gin, memos)).toMatchObject({
      owners: ['gin-gonic/gin', 'usememos/memos'],
      isAmbiguous: true,
    });
    expect(ownersOf('src/price.ts:f', shop, fork, gin)).toMatchObject({
      owners: ['acme/shop', 'acme/fork'],
      isAmbiguous: true,
    });
    expect(ownersOf('nowhere.f', gin, memos).isAmbiguous).toBe(true);
    expect(ownersOf('f', page)).toEqual({ owners: [], others: [], isAmbiguous: false });
  });

  it('has the definitions that fit, and others are those of code', () => {
    const { owners } = tellApart(symbolNamed(undefined, 'src/price.ts:f')!, [shop]);
    expect(owners[0]!.definitions.map(({ path }) => path)).toEqual(['src/price.ts']);
    expect(ownersOf('src/price.ts:f', shop, tested, java).others).toEqual(['acme/java']);
  });
});

it('has uses in languages that can call it', () => {
  const references = ['load.sh', 'web/a.vue', 'src/b.ts', 'src/C.kt'].map((path) => ({ path }));
  const pathsOf = (...definitions: string[]) =>
    inSameLanguages(
      references,
      definitions.map((path) => ({ path })),
    ).map(({ path }) => path);
  expect(pathsOf('src/price.ts')).toEqual(['web/a.vue', 'src/b.ts']);
  expect(pathsOf('src/Price.java')).toEqual(['src/C.kt']);
  expect(pathsOf('src/price.py')).toEqual([]);
  expect(pathsOf()).toHaveLength(4);
});

it('names a class of Java as others import it', () => {
  const named = (path: string) => importedNames([{ path, kind: 'class', container: null, isExported: true }]);
  expect(named('core/src/main/java/com/acme/Price.java')).toEqual(['maven:com.acme.Price']);
  expect(named('src/com/acme/Price.kt')).toEqual(['maven:com.acme.Price']);
  expect(named('src/price.ts')).toEqual([]);
});
