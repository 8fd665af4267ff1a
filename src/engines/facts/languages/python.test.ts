/** Definitions, imports and uses in Python. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads Python', async () => {
  const found = await describeFile(
    'a.py',
    `import os, numpy.linalg as la
from .models import User, Group as G
from typing import *
try:
    import json
except ImportError:
    json = None
LIMIT = 3
class Store(Base):
    """A docstring about LIMIT."""
    table: str = 'users'
    def __init__(self, path, *, mode='r', **rest):
        self.path = os.path.join(path, LIMIT)
    @classmethod
    def _open(cls): pass
@decorated
async def load(store: Store, count: int = 1, *names): return f"{store.path} {count}"
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "os 1: * as os",
        "numpy.linalg 1: * as la",
        ".models 2: User, Group as G",
        "typing 3: *",
        "json 5: * as json",
      ],
      "incomplete": null,
      "symbols": [
        "+variable json 7",
        "+constant LIMIT 8",
        "+class Store 9-15",
        "+field Store.table 11",
        "+method Store.__init__(2..) 12-13",
        "-method Store._open(1..1) 15",
        "+function load(1..) 17",
      ],
      "uses": [
        "Base 9",
        "G 2",
        "Group 2",
        "ImportError 6",
        "LIMIT 13",
        "Store 17",
        "User 2",
        "classmethod 14",
        "cls 15",
        "count 17",
        "decorated 16",
        "int 17",
        "join 13",
        "json 5",
        "la 1",
        "linalg 1",
        "mode 12",
        "models 2",
        "names 17",
        "numpy 1",
        "os 1,13",
        "path 12,13,17",
        "rest 12",
        "self 12,13",
        "store 17",
        "str 11",
        "typing 3",
      ],
    }
  `);
});
