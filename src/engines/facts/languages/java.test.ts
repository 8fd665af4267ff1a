/** Definitions, imports and uses in Java. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads Java', async () => {
  const found = await describeFile(
    'A.java',
    `package a.b;
import java.util.List;
import static org.junit.Assert.*;
@Service
public class Store extends Base {
  public static final int LIMIT = 3;
  private String name, other;
  public Store(String name) { this.name = name; }
  @Override
  public List<String> find(int id, String... rest) { return run(LIMIT); }
  private void hidden() {}
  enum Color { RED, GREEN; void paint() {} }
}
interface Shape { double area(); }
record Point(int x, int y) {}
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "java.util 2: List",
        "org.junit.Assert 3: *",
      ],
      "incomplete": null,
      "symbols": [
        "+class Store 5-13",
        "+constant Store.LIMIT 6",
        "-field Store.name 7",
        "-field Store.other 7",
        "+method Store.Store(1..1) 8",
        "+method Store.find(1..) 10",
        "-method Store.hidden(0..0) 11",
        "+enum Store.Color 12",
        "+constant Color.RED 12",
        "+constant Color.GREEN 12",
        "+method Color.paint(0..0) 12",
        "+interface Shape 14",
        "+method Shape.area(0..0) 14",
        "+class Point 15",
      ],
      "uses": [
        "Assert 3",
        "Base 5",
        "LIMIT 10",
        "List 2,10",
        "Override 9",
        "Service 4",
        "String 7,8,10",
        "a 1",
        "b 1",
        "id 10",
        "java 2",
        "junit 3",
        "name 8",
        "org 3",
        "rest 10",
        "run 10",
        "util 2",
        "x 15",
        "y 15",
      ],
    }
  `);
});
