/** Packages provide symbols under the names with which other files import them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlacedFact } from '../../platform/core/ports/code-facts.ts';
import { extractFacts } from './extract-facts.ts';
import { providedSymbols } from './provided-symbols.ts';

async function provide(files: Record<string, string>) {
  const facts: PlacedFact[] = [];
  const withSymbols = [];
  for (const [path, text] of Object.entries(files)) {
    const file = await extractFacts({ path, text });
    facts.push(...file.facts.map((fact) => ({ ...fact, path })));
    withSymbols.push({ path, language: file.language, read: () => file });
  }
  return {
    provided: providedSymbols(facts, withSymbols).facts.map(({ name, path }) => `${name} ${path}`),
    used: facts.filter(({ kind, role }) => kind === 'symbol' && role === 'uses').map(({ name }) => name),
  };
}

describe('symbols that packages provide', () => {
  it('of npm, by the innermost package', async () => {
    const { provided } = await provide({
      'package.json': '{"name": "@acme/all"}',
      'ui/package.json': '{"name": "@acme/ui"}',
      'ui/src/button.tsx':
        'export function Button() {}\nfunction hidden() {}\nexport class Card { render() {} }',
      'ui/src/button.test.tsx': 'export const inTest = 1;',
      'tool.ts': 'export const run = 1;',
    });
    expect(provided).toEqual([
      'npm:@acme/ui#Button ui/src/button.tsx',
      'npm:@acme/ui#Card ui/src/button.tsx',
      'npm:@acme/all#run tool.ts',
    ]);
  });

  it('of Python, by module, with what a package passes on', async () => {
    const { provided, used } = await provide({
      'pyproject.toml': '[project]\nname = "acme-shop"',
      'src/shop/__init__.py': 'from .cart import Cart as ShopCart, _secret\nimport os\n',
      'src/shop/cart.py': 'class Cart:\n    def add(self): pass\ndef _secret(): pass\n',
      'setup.py': 'def build(): pass',
      'app.py': 'from shop import ShopCart\nfrom shop.cart import Cart\n',
    });
    expect(provided).toEqual([
      'pypi:shop#ShopCart src/shop/__init__.py',
      'pypi:shop.cart#Cart src/shop/cart.py',
    ]);
    expect(used).toEqual(['pypi:shop#ShopCart', 'pypi:shop.cart#Cart']);
  });

  it('of Go, by folder, without programs and internal packages', async () => {
    const { provided, used } = await provide({
      'go.mod': 'module example.com/shop\n',
      'cart/cart.go':
        'package cart\nfunc Open() {}\nfunc hidden() {}\ntype Cart struct{}\nfunc (c Cart) Add() {}\n',
      'cart/cart_test.go': 'package cart\nfunc TestOpen() {}\n',
      'cmd/shop/main.go':
        'package main\nimport "example.com/shop/cart"\nfunc Run() { cart.Open() }\nfunc main() {}\n',
      'internal/x/x.go': 'package x\nfunc Y() {}\n',
    });
    expect(provided).toEqual([
      'go:example.com/shop/cart#Open cart/cart.go',
      'go:example.com/shop/cart#Cart cart/cart.go',
    ]);
    expect(used).toEqual(['go:example.com/shop/cart#Open']);
  });

  it('of files outside of any package are none, and there is a limit', () => {
    const read = () => ({
      symbols: Array.from({ length: 300 }, (_, index) => ({
        name: `f${index}`,
        kind: 'function' as const,
        line: index + 1,
        endLine: index + 1,
        isExported: true,
      })),
      imports: [],
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), (count) => {
        const files = Array.from({ length: count }, (_, index) => ({
          path: `a/${index}.ts`,
          language: 'typescript',
          read,
        }));
        const manifest: PlacedFact = {
          kind: 'package',
          role: 'provides',
          name: 'npm:a',
          line: 1,
          path: 'a/package.json',
        };
        expect(providedSymbols([], files)).toEqual({ facts: [], leftOut: 0 });
        const { facts, leftOut } = providedSymbols([manifest], files);
        expect(facts.length).toBe(Math.min(20_000, 300 * count));
        expect(facts.length + leftOut).toBe(300 * count);
      }),
      { numRuns: 20 },
    );
  });
});
