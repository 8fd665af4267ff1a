/** Definitions, imports and uses in C#. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads C#', async () => {
  const found = await describeFile(
    'A.cs',
    `using System;
using Json = System.Text.Json;
namespace Shop.Orders;
public class Store : Base {
  public const int Limit = 3;
  private string name;
  public string Title { get; set; } = "x";
  public Store(string name) { this.name = name; }
  public async Task<int> Find(int id, string unit = "kg", params string[] rest) => Limit;
  void Hidden() {}
}
public interface IShape { double Area(); }
enum Color { Red, Green }
public record Point(int X);
`,
  );
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [
        "System 1: *",
        "System.Text.Json 2: * as Json",
      ],
      "incomplete": null,
      "symbols": [
        "+class Store 4-11",
        "+constant Store.Limit 5",
        "-field Store.name 6",
        "+field Store.Title 7",
        "+method Store.Store(1..1) 8",
        "+method Store.Find(1..) 9",
        "-method Store.Hidden(0..0) 10",
        "+interface IShape 12",
        "+method IShape.Area(0..0) 12",
        "+enum Color 13",
        "+field Color.Red 13",
        "+field Color.Green 13",
        "+class Point 14",
      ],
      "uses": [
        "Base 4",
        "Json 2",
        "Limit 9",
        "Orders 3",
        "Shop 3",
        "System 1,2",
        "Task 9",
        "Text 2",
        "X 14",
        "id 9",
        "name 8",
        "rest 9",
        "unit 9",
      ],
    }
  `);
});
