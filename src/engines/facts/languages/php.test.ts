/** Definitions, imports and uses in PHP. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads PHP', async () => {
  const found = await describeFile(
    'a.php',
    `<?php
namespace App\\Http;
use App\\Models\\User;
use App\\{Order as O, Item};
const LIMIT = 3;
interface Shape { public function area(): float; }
class Store extends Base {
  const MAX = 1;
  private $name = 'x';
  public function find(int $id, string $unit = 'kg', ...$rest) { return User::find($id, "text $unit"); }
  private function hidden() {}
}
enum Color { case Red; }
function helper($x) { return LIMIT; }
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "App\\Models 3: User",
        "App 4: Order as O",
        "App 4: Item",
      ],
      "incomplete": null,
      "symbols": [
        "+constant LIMIT 5",
        "+interface Shape 6",
        "+method Shape.area(0..0) 6",
        "+class Store 7-12",
        "+constant Store.MAX 8",
        "-field Store.name 9",
        "+method Store.find(1..) 10",
        "-method Store.hidden(0..0) 11",
        "+enum Color 13",
        "+constant Color.Red 13",
        "+function helper(1..1) 14",
      ],
      "uses": [
        "App 2,3,4",
        "Base 7",
        "Http 2",
        "Item 4",
        "LIMIT 14",
        "Models 3",
        "O 4",
        "Order 4",
        "User 3,10",
        "find 10",
        "id 10",
        "rest 10",
        "unit 10",
        "x 14",
      ],
    }
  `);
});
