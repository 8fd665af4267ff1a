/** Definitions, imports and uses in C and C++. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads C and C++', async () => {
  const found = await describeFile(
    'a.cpp',
    `#include <vector>
#include "store.h"
#define LIMIT 3
#define TWICE(x) ((x) + (x))
namespace shop {
template <typename T>
class Store : public Base {
  int hidden_;
public:
  explicit Store(const std::string& name);
  virtual int *find(int id, bool all = false) const { return nullptr; }
  std::string name = "LIMIT";
};
enum class Color { Red, Green };
static int counter = 0;
}
typedef struct node { struct node *next; } node_t;
using Names = std::vector<std::string>;
int shop::Store::find(int id, ...) { return TWICE(id) + LIMIT; }
static void *start(void) { return 0; }
int declared(char *name);
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "vector 1: *",
        "store.h 2: *",
      ],
      "incomplete": null,
      "symbols": [
        "+constant LIMIT 3",
        "+function TWICE(1..1) 4",
        "+class shop.Store 7-13",
        "-field Store.hidden_ 8",
        "+method Store.Store(1..1) 10",
        "+method Store.find(1..2) 11",
        "+field Store.name 12",
        "+enum shop.Color 14",
        "+constant shop.Red 14",
        "+constant shop.Green 14",
        "-variable shop.counter 15",
        "+class node 17",
        "+field node.next 17",
        "+type node_t 17",
        "+type Names 18",
        "+method Store.find(1..) 19",
        "-function start(0..0) 20",
        "+function declared(1..1) 21",
      ],
      "uses": [
        "Base 7",
        "LIMIT 19",
        "Store 19",
        "T 6",
        "TWICE 19",
        "all 11",
        "id 11,19",
        "name 10,21",
        "node 17",
        "shop 5,19",
        "std 10,12,18",
        "string 10,12,18",
        "vector 18",
        "x 4",
      ],
    }
  `);
});
