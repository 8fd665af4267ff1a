/** Definitions, imports and uses in Go. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads Go', async () => {
  const found = await describeFile(
    'a.go',
    `package store
import (
	"fmt"
	log "github.com/x/log"
)
// Limit is a comment.
const Limit, other = 3, 0x1f
var (
	cache = map[string]func(){ "a": func() { fmt.Println("Limit") } }
)
type Store[T any] struct {
	Path, name string
	sync.Mutex
}
type Reader interface {
	Read(p []byte, rest ...int) (n int, err error)
}
type ID = string
func (s *Store[T]) Open(a, b int, names ...string) interface{ Close() } {
	for _, r := range []rune{'{', '\\''} {
		log.Print(s.Path, r, \`raw {
\`)
	}
	return nil
}
func New(f func(int) struct{}) *Store[int] {
	return &Store[int]{Path: "}"}
}
func asm(x uint8)
type last struct{ x int }
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "fmt 3: *",
        "github.com/x/log 4: * as log",
      ],
      "incomplete": null,
      "symbols": [
        "+constant Limit 7",
        "-constant other 7",
        "-variable cache 9",
        "+class Store 11-14",
        "+field Store.Path 12",
        "-field Store.name 12",
        "+interface Reader 15-17",
        "+method Reader.Read(1..) 16",
        "+type ID 18",
        "+method Store.Open(2..) 19-25",
        "+function New(1..1) 26-28",
        "-function asm(1..1) 29",
        "-class last 30",
        "-field last.x 30",
      ],
      "uses": [
        "Close 19",
        "Mutex 13",
        "Path 21,27",
        "Print 21",
        "Println 9",
        "Store 19,26,27",
        "T 11,19",
        "a 19",
        "b 19",
        "err 16",
        "f 26",
        "fmt 9",
        "log 4,21",
        "n 16",
        "names 19",
        "p 16",
        "r 20,21",
        "rest 16",
        "s 19,21",
        "store 1",
        "sync 13",
        "x 29",
      ],
    }
  `);
});
