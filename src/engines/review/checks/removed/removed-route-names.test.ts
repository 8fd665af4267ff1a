/** Names of routes that are gone while templates and code still look them up. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

const URLS =
  'app_name = "shop"\nurlpatterns = [\n    path("", index, name="index"),\n    path("carts/", carts, name="cart-list"),\n]\n';
const URLS_AFTER = URLS.replace(/.*cart-list.*\n/, '');
const PAGE = { 'shop/templates/base.html': '<a href="{% url \'shop:cart-list\' %}">Carts</a>\n' };
const ROUTES =
  "<?php\nRoute::get('/carts', [CartController::class, 'index'])->name('carts.index');\nRoute::get('/', Home::class)->name('home');\n";
const FLASK =
  'bp = Blueprint("shop", __name__)\n\n\n@bp.route("/carts")\n@login_required\ndef carts():\n    pass\n\n\n@bp.route("/")\ndef home():\n    pass\n';
const FLASK_AFTER = FLASK.replace(/@bp.route\("\/carts"\)[\s\S]*?pass\n\n\n/, '');

type Files = Record<string, string>;
const removed = (path: string, before: string, after: string, others: Files, changed: Files = {}) =>
  findingsOf({ [path]: before, ...others }, { [path]: after, ...changed }, 'removed_route_name');

describe('removed_route_name', () => {
  it.each<[string, string, string, string, Files, string]>([
    ['a template of Django', 'shop/urls.py', URLS, URLS_AFTER, PAGE, 'cart-list'],
    [
      'code of Django',
      'shop/urls.py',
      URLS,
      URLS_AFTER,
      { 'shop/views.py': 'go = redirect("shop:cart-list", 1)\n' },
      'cart-list',
    ],
    [
      'a template of Laravel',
      'routes/web.php',
      ROUTES,
      ROUTES.replace(/.*carts.*\n/, ''),
      { 'resources/views/a.blade.php': '<a href="{{ route(\'carts.index\') }}">\n' },
      'carts.index',
    ],
    [
      'a template of Flask',
      'shop/views.py',
      FLASK,
      FLASK_AFTER,
      { 'shop/templates/a.html': '<a href="{{ url_for(\'shop.carts\') }}">\n' },
      'carts',
    ],
  ])('finds one in %s', async (_, path, before, after, others, name) => {
    const found = await removed(path, before, after, others);
    expect(found).toEqual([
      expect.stringMatching(
        new RegExp(
          `^removed_route_name ${RegExp.escape(path)}:\\d The route ${RegExp.escape(name)} was removed but is still looked up$`,
        ),
      ),
    ]);
    expect(await removed(path, before, `${before}\n`, others)).toEqual([]);
  });

  it.each<[string, Files, Files?]>([
    ['another file has the name', { 'cart/urls.py': 'urlpatterns = [path("", x, name="cart-list")]\n' }],
    [
      'names are put together',
      { 'cart/urls.py': 'cart-list\nurlpatterns = [path("", x, name=f"{kind}-list")]  # cart-list\n' },
    ],
    [
      'only a test and a document look it up',
      {
        'shop/templates/base.html': '',
        'tests/a.py': 'reverse("shop:cart-list")\n',
        'README.md': "{% url 'shop:cart-list' %}\n",
      },
    ],
    [
      'the use came with the change',
      { 'shop/templates/base.html': '' },
      { 'shop/templates/new.html': PAGE['shop/templates/base.html'] },
    ],
    ['it is a part of another name', { 'shop/templates/base.html': "{% url 'shop:old-cart-list' %}\n" }],
  ])('says nothing when %s', async (_, others, changed = {}) => {
    expect(await removed('shop/urls.py', URLS, URLS_AFTER, { ...PAGE, ...others }, changed)).toEqual([]);
  });

  it('says nothing where new lines can define names in another way', async () => {
    const included = URLS.replace(
      'path("carts/", carts, name="cart-list")',
      'path("carts/", include(cart_urls))',
    );
    expect(await removed('shop/urls.py', URLS, included, PAGE)).toEqual([]);
    const grouped = ROUTES.replace(/.*carts.*\n/, "Route::resource('carts', CartController::class);\n");
    expect(
      await removed('routes/web.php', ROUTES, grouped, {
        'resources/views/a.blade.php': "{{ route('carts.index') }}\n",
      }),
    ).toEqual([]);
    expect(
      await removed(
        'shop/views.py',
        FLASK,
        FLASK.replace('"/carts"', '"/carts", endpoint="carts"').replace('def carts', 'def all_carts'),
        { 'a.html': "{{ url_for('shop.carts') }}\n" },
      ),
    ).toEqual([]);
  });
});
