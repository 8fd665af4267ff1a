/** Methods and fields that types lost, or that take other parameters. All cases of a test are in one real repository, each in its own folder. */
import { describe, expect, it } from 'vitest';
import { reviewChange } from '../../../../../test/helpers/git/review-change.ts';

type Files = Record<string, string>;

interface Case {
  /** Beside the types that change. */
  users: Files;
  /** The types after the change. */
  after: Files;
  /** Other types before the change. */
  before?: Files;
}

/** The titles of findings by the number of the case. */
async function findInAll(before: Files, cases: readonly Case[], check: string): Promise<string[][]> {
  const [old, now]: [Files, Files] = [{ 'go.mod': 'module example.com/acme\n' }, {}];
  for (const [number, each] of cases.entries()) {
    const move = (files: Files, to: Files) => {
      for (const [path, text] of Object.entries(files))
        to[`case${number}/${path.replaceAll('acme', `case${number}`)}`] = text.replaceAll(
          'acme',
          path.endsWith('.java') ? `case${number}` : `acme/case${number}`,
        );
    };
    move({ ...before, ...each.before, ...each.users }, old);
    move(each.after, now);
  }
  // Packages of Java are folders.
  const placed = (files: Files) =>
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.endsWith('.java') ? `java/com/${path}` : path, text]),
    );
  const { candidates, checks } = await reviewChange(placed(old), placed(now), { only: check });
  expect(checks[0]!.failure).toBeNull();
  // Cases can share a finding, because their types have one name.
  expect(candidates.filter(({ fate }) => fate.kind === 'refused')).toEqual([]);
  return cases.map((_, number) =>
    candidates.filter(({ file }) => file.includes(`case${number}/`)).map(({ title }) => title),
  );
}

const CART =
  'package com.acme;\n\nimport java.util.List;\n\npublic class Cart extends Basket {\n  public static final int LIMIT = 3;\n  public List<Cart> parts;\n  public int total() { return 1; }\n  public Cart add(int n) { return this; }\n  public static Cart open() { return new Cart(); }\n  public static class Builder {\n    public Builder with(int n) { return this; }\n    public Cart build() { return new Cart(); }\n  }\n}\n';
const JAVA = {
  'Cart.java': CART,
  'Basket.java': 'package com.acme;\n\npublic class Basket {\n  public int count() { return 0; }\n}\n',
};
const TOTAL = '  public int total() { return 1; }\n';

const inShop = (body: string, head = '') =>
  `package com.acme.shop;\n\nimport com.acme.Cart;\n${head}\nclass Shop {\n  private Cart cart;\n${body}\n}\n`;
/** Without the part of the cart, or with another one. */
const inJava = (part: string, replacement: string, users: Files, before: Files = {}): Case => ({
  users,
  before,
  after: { 'Cart.java': CART.replace(part, replacement) },
});
const withoutTotal = (body: string) => inJava(TOTAL, '', { 'shop/Shop.java': inShop(body) });

describe('removed_method_used in Java', () => {
  it('follows fields, variables, parameters, results, loops, creations, subclasses and static members', async () => {
    const bodies = [
      'int a() { return cart.total(); }',
      'int a() { return this.cart.total(); }',
      'int a(Cart other) { return other.total(); }',
      'int a() { var other = Cart.open().add(1); return other.total(); }',
      'int a() { return new Cart.Builder().with(1).build().total(); }',
      'void a() { for (Cart part : cart.parts) part.total(); }',
      'void a() { for (var part : cart.parts) part.total(); }',
      'void a(Object o) { ((Cart) o).total(); }',
      'static class Own extends Cart { int a() { return total(); } }',
      'Runnable a() { return () -> cart.total(); }',
      'Object a() { return map(Cart::total); }',
    ];
    const others: [string, Case][] = [
      [
        'LIMIT',
        inJava('  public static final int LIMIT = 3;\n', '', {
          'shop/Shop.java': inShop('int a() { return Cart.LIMIT; }'),
        }),
      ],
      [
        'parts',
        inJava('  public List<Cart> parts;\n', '', {
          'shop/Shop.java': inShop('static class Own extends Cart { Object a() { return sum(parts); } }'),
        }),
      ],
      [
        'LIMIT',
        inJava('  public static final int LIMIT = 3;\n', '', {
          'shop/Shop.java': inShop('int a() { return sum(LIMIT); }', 'import static com.acme.Cart.LIMIT;\n'),
        }),
      ],
      [
        'open',
        inJava('  public static Cart open() { return new Cart(); }\n', '', {
          'shop/Shop.java': inShop('Object b() { return open(); }', 'import static com.acme.Cart.open;\n'),
        }),
      ],
      [
        'Builder.with',
        inJava('    public Builder with(int n) { return this; }\n', '', {
          'shop/Shop.java': inShop('Object c() { return new Cart.Builder().with(2); }'),
        }),
      ],
    ];
    const found = await findInAll(
      JAVA,
      [...bodies.map(withoutTotal), ...others.map(([, each]) => each)],
      'removed_method_used',
    );
    const names = [...bodies.map(() => 'total'), ...others.map(([name]) => name)];
    for (const [number, name] of names.entries())
      expect(found[number], bodies[number] ?? name).toEqual([`Cart.${name} was removed but is still used`]);
  });

  it('says nothing where something else has the name, or may have it', async () => {
    const cases: Record<string, Case> = {
      'a parent has it': {
        ...withoutTotal('int a() { return cart.total(); }'),
        before: { 'Basket.java': JAVA['Basket.java'].replace('count', 'total') },
      },
      'another type': withoutTotal('int a(Sum sum) { return sum.total(); }'),
      'a parameter hides the field': withoutTotal('int a(Sum cart) { return cart.total(); }'),
      'a parameter of a lambda hides it': withoutTotal('Object a() { return f(cart -> cart.total()); }'),
      'a nested class of that name': withoutTotal(
        'static class Cart { int total() { return 1; } }\nint a() { return cart.total(); }',
      ),
      'a class without a name': withoutTotal(
        'static class Own extends Cart { Object a() { return new Sum() { int b() { return total(); } }; } }',
      ),
      'a comment': withoutTotal('// cart.total()\nint a() { return 1; }'),
      'a variable of that name': inJava('  public List<Cart> parts;\n', '', {
        'shop/Shop.java': inShop(
          'static class Own extends Cart { Object a(Object parts) { return parts; } }',
        ),
      }),
      'a static import of a field of that name': inJava(TOTAL, '  public static final int total = 1;\n', {
        'shop/Shop.java': inShop('int a() { return total; }', 'import static com.acme.Cart.total;\n'),
      }),
      'another class of that name': inJava(TOTAL, '', {
        'shop/Cart.java': 'package com.acme.shop;\nclass Cart {}\n',
        'shop/Shop.java': inShop('int a() { return cart.total(); }').replace('import com.acme.Cart;\n', ''),
      }),
      'a type parameter': inJava(TOTAL, '', {
        'shop/Shop.java':
          'package com.acme.shop;\nimport com.acme.Cart;\nclass Shop<Cart> {\n Cart cart;\nint a() { return cart.total(); } }\n',
      }),
      'a parent that is not in the repository': inJava(TOTAL, '', {
        'shop/Own.java':
          'package com.acme.shop;\nimport com.acme.Cart;\nimport org.other.Totals;\nclass Own extends Cart implements Totals { int a() { return total(); } }\n',
      }),
      'two classes of one name': inJava(TOTAL, '', {
        'shop/Shop.java': inShop('int a() { return cart.total(); }'),
        'other/com/acme/Cart.java': CART,
      }),
      'Lombok writes it': inJava(
        'public int total() { return 1; }',
        '@Getter private int total; public int left;',
        {
          'shop/Shop.java': inShop('int a() { return cart.total(); }'),
        },
      ),
    };
    const found = await findInAll(JAVA, Object.values(cases), 'removed_method_used');
    for (const [number, name] of Object.keys(cases).entries()) expect(found[number], name).toEqual([]);
  });
});

const STORE =
  'package store\n\ntype Store interface {\n\tFetchItem(key string) (*Item, error)\n}\n\ntype Item struct {\n\tNext *Item\n}\n\nfunc (i *Item) Refresh(n int) error { return nil }\n\nfunc Open() (*Disk, error) { return nil, nil }\n';
const DISK =
  'package store\n\ntype Disk struct {\n\tCache\n}\n\ntype Cache struct{}\n\nfunc (c *Cache) FetchItem(key string) (*Item, error) { return nil, nil }\n';
const GO = { 'store/store.go': STORE, 'store/disk.go': DISK };
const NEW_GO = {
  'store/store.go': STORE.replace('key string', 'key string, deep bool').replace('n int', 'n int, deep bool'),
  'store/disk.go': DISK.replace('key string', 'key string, deep bool'),
};

const shopInGo = (body: string) =>
  `package shop\n\nimport "example.com/acme/store"\n\ntype Shop struct {\n\tstore store.Store\n\titems map[string][]*store.Item\n}\n\n${body}\n`;
const inGo = (body: string): Case => ({ users: { 'shop/shop.go': shopInGo(body) }, after: NEW_GO });

describe('changed_method', () => {
  it('follows interfaces, fields, results, embedded types, loops and variables of Go', async () => {
    const bodies = [
      'func (s *Shop) A() { s.store.FetchItem("a") }',
      'func A(st store.Store) { st.FetchItem("a") }',
      'func A() { disk, err := store.Open(); _ = err; disk.FetchItem("a") }',
      'func (s *Shop) A() { item, _ := s.store.FetchItem("a", true); item.Next.Refresh(1) }',
      'func (s *Shop) A() { for _, list := range s.items { for _, item := range list { item.Refresh(1) } } }',
      'func (s *Shop) A() { s.items["a"][0].Refresh(1) }',
      'func A() { item := &store.Item{}; go func() { item.Refresh(1) }() }',
      'func A(x any) { x.(*store.Item).Refresh(1) }',
      'var item = &store.Item{}\n\nfunc A() { item.Refresh(1) }',
      // The grammar can't read another function.
      'func A(item *store.Item) { item.Refresh(1) }\n\nfunc B() { a := ; b() }',
    ];
    const found = await findInAll(GO, bodies.map(inGo), 'changed_method');
    for (const [number, body] of bodies.entries())
      expect(found[number], body).toEqual([
        expect.stringMatching(body.includes('Refresh(') ? /^Item\.Refresh is still/ : /\.FetchItem is still/),
      ]);
  });

  it('says nothing about other types, calls that fit, and modules of Go that use an older version', async () => {
    const bodies = [
      'type Other struct{}\n\nfunc (o Other) FetchItem(key string) {}\n\nfunc A(o Other) { o.FetchItem("a") }',
      'func A(client other.Client) { client.FetchItem("a") }',
      'func (s *Shop) A() { s.store.FetchItem("a", true) }',
      'func (s *Shop) A(args ...any) { s.store.FetchItem(args...) }',
      'func (s *Shop) A() { s.store.FetchItem(both()) }',
      'func (s *Shop) A(store Other) { store.FetchItem("a") }',
      'func A() { for item := range list() { item.Refresh(1) } }',
      'func A() { item := &store.Item{}; { item := other(); item.Refresh(1) } }',
      'type Own struct{ store.Item }\n\nfunc (o *Own) Refresh(n int) {}\n\nfunc A(o *Own) { o.Refresh(1) }',
      'type Own struct {\n\tstore.Item\n\tother.Client\n}\n\nfunc A(o *Own) { o.Refresh(1) }',
    ];
    const tool = (manifest: string): Case => ({
      users: {
        'tool/tool.go': shopInGo('func (s *Shop) A() { s.store.FetchItem("a") }'),
        'go.mod': 'module example.com/acme\n',
        'tool/go.mod': `module example.com/acme/tool\n\nrequire example.com/acme v1.0.0\n${manifest}`,
      },
      after: NEW_GO,
    });
    const local = tool('\nreplace example.com/acme => ../\n');
    const found = await findInAll(GO, [...bodies.map(inGo), tool(''), local], 'changed_method');
    for (const [number, body] of [...bodies, 'an older version'].entries())
      expect(found[number], body).toEqual([]);
    expect(found.at(-1)).toHaveLength(1);
  });

  it('finds calls in Java that no overload takes', async () => {
    const user = { 'shop/Shop.java': inShop('Object a() { return cart.add(1); }') };
    const overloads = 'add(int n, int m) { return this; }\n  public Cart add(Integer n)';
    const heads = ['add(int n, int m)', overloads, 'add(int... n)'];
    const found = await findInAll(
      JAVA,
      heads.map((head) => inJava('add(int n)', head, user)),
      'changed_method',
    );
    expect(found).toEqual([['Cart.add is still called with its old parameters'], [], []]);
  });
});
